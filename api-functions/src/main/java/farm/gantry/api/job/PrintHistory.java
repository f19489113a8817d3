package farm.gantry.api.job;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.query.Column;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.Condition;
import farm.gantry.api.query.Condition.Filter;
import farm.gantry.api.query.FieldType;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.api.query.SearchRequest;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.query.Sort;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import java.util.Arrays;
import java.util.List;

/** Routes for ended jobs. Version 2 always returns pages. The newest jobs come first unless {@code sort} is set. */
@Controller
@Blocking
final class PrintHistory {
    private static final int PAGE = 100;
    private static final Column FINISHED_AT = new Column(
            "finishedAt", FieldType.INSTANT, true, false, true, false, false, false, false, List.of(), List.of());

    private final Resources<PrintJob> jobs;
    private final Columns<PrintJob> columns;
    private final Database database;
    private final Table<Printer> printers;

    PrintHistory(ResourceFactory factory, Tables tables, Database database) {
        this.database = database;
        this.printers = tables.of(Printer.class);
        this.jobs = factory.of(PrintJob.class, "print job");
        this.columns = jobs.table().columns();
    }

    /** Returns ended jobs. Filter, sort and page with the query parameters. */
    @Get("/v1/print-history")
    @RequiresPermission(Permission.QUEUE_VIEW)
    HttpResponse<List<PrintJob>> list(Caller caller, HttpRequest<?> request) {
        return jobs.list(caller, request, onlyEnded(jobs.query(request)));
    }

    /** Searches ended jobs. Returns a page of those that match the filter in the body. */
    @Post("/v1/print-history/search")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.QUEUE_VIEW)
    HttpResponse<SearchResponse<PrintJob>> search(
            Caller caller, HttpRequest<?> request, @Body @BodyType(SearchRequest.class) JsonNode body) {
        return jobs.search(caller, request, onlyEnded(ListQuery.of(columns, body)));
    }

    /** Returns a page of ended jobs. The newest come first unless {@code sort} is set. */
    @Get("/v2/print-history")
    @RequiresPermission(Permission.QUEUE_VIEW)
    HttpResponse<SearchResponse<PrintJob>> page(Caller caller, HttpRequest<?> request) {
        return jobs.pageOf(caller, request.getPath(), parsePagedQuery(request, onlyEnded(jobs.query(request))));
    }

    /** Returns the ended jobs of a printer. A deleted printer keeps its history. */
    @Get("/v1/printers/{id}/print-history")
    @RequiresPermission(Permission.QUEUE_VIEW)
    HttpResponse<List<PrintJob>> listOfPrinter(Caller caller, HttpRequest<?> request, String id) {
        return jobs.list(caller, request, onlyOfPrinter(caller, onlyEnded(jobs.query(request)), id));
    }

    /**
     * Returns a page of the ended jobs of a printer. The newest come first unless {@code sort} is set. A deleted
     * printer keeps its history.
     */
    @Get("/v2/printers/{id}/print-history")
    @RequiresPermission(Permission.QUEUE_VIEW)
    HttpResponse<SearchResponse<PrintJob>> pageOfPrinter(Caller caller, HttpRequest<?> request, String id) {
        return jobs.pageOf(
                caller,
                request.getPath(),
                parsePagedQuery(request, onlyOfPrinter(caller, onlyEnded(jobs.query(request)), id)));
    }

    private ListQuery onlyEnded(ListQuery query) {
        String[] over = Arrays.stream(JobStatus.values())
                .filter(JobStatus::isFinished)
                .map(JobStatus::wireName)
                .toArray(String[]::new);
        ListQuery ended = query.where(Filter.of(columns.get(PrintJob::status), Operator.in, over));
        return query.isUnfiltered() ? ended.countedBy("endedJobCount") : ended;
    }

    /** A deleted printer keeps its history. */
    private ListQuery onlyOfPrinter(Caller caller, ListQuery query, String printerId) {
        Condition onPrinter =
                Filter.of(columns.get(PrintJob::assignedPrinterId), Operator.eq, Resources.parseId(printerId));
        boolean isKnown = database.in(
                caller,
                tx -> printers.find(tx, printerId).isPresent()
                        || !jobs.table()
                                .find(
                                        tx,
                                        onlyEnded(ListQuery.all(columns))
                                                .where(onPrinter)
                                                .page(1, 0))
                                .isEmpty());
        if (!isKnown) {
            throw ProblemException.notFound("printer");
        }
        return query.where(onPrinter);
    }

    private ListQuery parsePagedQuery(HttpRequest<?> request, ListQuery query) {
        ListQuery page =
                query.page(Math.min(PAGE, query.limit()), query.offset()).withMeta();
        return request.getParameters().get("sort", String.class, "").isEmpty()
                ? page.sortedBy(new Sort(FINISHED_AT, true), new Sort(columns.get(PrintJob::id), false))
                : page;
    }
}
