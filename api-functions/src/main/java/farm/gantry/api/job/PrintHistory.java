package farm.gantry.api.job;

import farm.gantry.Permission;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.query.Column;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.FieldType;
import farm.gantry.api.query.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Tables;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.Arrays;
import java.util.List;

/** Jobs that are over. The second version is always paged, newest first. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
final class PrintHistory {
    private static final int PAGE = 100;
    private static final Column FINISHED_AT =
            new Column("finishedAt", FieldType.INSTANT, true, false, true, false, false, false, List.of(), List.of());

    private final Resources<PrintJob> jobs;
    private final Columns<PrintJob> columns;

    PrintHistory(Tables tables) {
        this.jobs = tables.resource(PrintJob.class, "print job");
        this.columns = jobs.table().columns();
    }

    @Get("/v1/print-history")
    @Needs(Permission.QUEUE_VIEW)
    HttpResponse<List<PrintJob>> list(Caller caller, HttpRequest<?> request) {
        return jobs.list(caller, request.getPath(), finished(jobs.query(request)));
    }

    @Get("/v2/print-history")
    @Needs(Permission.QUEUE_VIEW)
    HttpResponse<List<PrintJob>> page(Caller caller, HttpRequest<?> request) {
        return jobs.list(caller, request.getPath(), paged(finished(jobs.query(request))));
    }

    @Get("/v1/printers/{id}/print-history")
    @Needs(Permission.QUEUE_VIEW)
    HttpResponse<List<PrintJob>> listOfPrinter(Caller caller, HttpRequest<?> request, String id) {
        return jobs.list(caller, request.getPath(), ofPrinter(finished(jobs.query(request)), id));
    }

    @Get("/v2/printers/{id}/print-history")
    @Needs(Permission.QUEUE_VIEW)
    HttpResponse<List<PrintJob>> pageOfPrinter(Caller caller, HttpRequest<?> request, String id) {
        return jobs.list(caller, request.getPath(), paged(ofPrinter(finished(jobs.query(request)), id)));
    }

    private ListQuery finished(ListQuery query) {
        String[] over = Arrays.stream(JobStatus.values())
                .filter(JobStatus::isFinished)
                .map(JobStatus::wire)
                .toArray(String[]::new);
        return query.where(Filter.of(columns.get("status"), Operator.in, over));
    }

    private ListQuery ofPrinter(ListQuery query, String printerId) {
        return query.where(Filter.of(columns.get("assignedPrinterId"), Operator.eq, Resources.checked(printerId)));
    }

    private ListQuery paged(ListQuery query) {
        return query.page(Math.min(PAGE, query.limit()), query.offset())
                .sortedBy(new ListQuery.Sort(FINISHED_AT, true), new ListQuery.Sort(columns.get("id"), true))
                .withMeta();
    }
}
