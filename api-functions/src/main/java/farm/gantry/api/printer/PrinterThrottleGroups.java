package farm.gantry.api.printer;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Fault;
import farm.gantry.api.Needs;
import farm.gantry.api.Problem;
import farm.gantry.api.Refused;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterThrottleGroup;
import farm.gantry.printer.PrinterThrottleGroup.Heated;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Groups of printers that start one after another; whoever may see or change printers may see or change them. */
@Controller("/v1/printer-throttle-groups")
@ExecuteOn(TaskExecutors.BLOCKING)
final class PrinterThrottleGroups {
    private static final String NOUN = "printer throttle group";

    private final Resources<PrinterThrottleGroup> groups;
    private final Table<PrinterThrottleGroup> table;
    private final Table<Printer> printers;
    private final Database database;

    PrinterThrottleGroups(Tables tables, Database database) {
        this.groups = tables.resource(PrinterThrottleGroup.class, NOUN);
        this.table = groups.table();
        this.printers = tables.of(Printer.class);
        this.database = database;
    }

    @Get
    @Needs(Permission.PRINTER_VIEW)
    HttpResponse<List<PrinterThrottleGroup>> list(Caller caller, HttpRequest<?> request) {
        return groups.list(caller, request);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.PRINTER_EDIT)
    HttpResponse<PrinterThrottleGroup> create(Caller caller, @Body @As(PrinterThrottleGroup.class) JsonNode body) {
        PrinterThrottleGroup group = complete(groups.record(caller.store(), body, Map.of()));
        return Resources.created(database.in(caller.store(), tx -> table.insert(tx, group, Resources.shown(caller))));
    }

    @Get("/{id}")
    @Needs(Permission.PRINTER_VIEW)
    HttpResponse<PrinterThrottleGroup> get(Caller caller, String id, HttpRequest<?> request) {
        return groups.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.PRINTER_EDIT)
    HttpResponse<PrinterThrottleGroup> patch(
            Caller caller, String id, @Body @As(PrinterThrottleGroup.class) JsonNode body) {
        return groups.patch(caller, id, body, (_, _, group) -> complete(group));
    }

    /** The group, unless a mode lacks the value it reads. */
    private static PrinterThrottleGroup complete(PrinterThrottleGroup group) {
        List<Fault> faults = new ArrayList<>();
        check("bed", group.releaseConditions().bed(), faults);
        check("nozzle", group.releaseConditions().nozzle(), faults);
        if (!faults.isEmpty()) {
            throw new Refused(new Problem.Invalid(faults));
        }
        return group;
    }

    private static void check(String heater, @Nullable Heated condition, List<Fault> faults) {
        String missing = condition == null ? null : condition.missing();
        if (missing != null) {
            String path = "releaseConditions." + heater + "." + missing;
            faults.add(new Fault(path, "required", path + " is required by the mode"));
        }
    }

    /** A group that printers are in stays. */
    @Delete("/{id}")
    @Needs(Permission.PRINTER_EDIT)
    List<String> delete(Caller caller, String id) {
        return database.in(caller.store(), tx -> {
            if (table.lock(tx, Resources.checked(id)).isEmpty()) {
                throw Problem.NotFound.of(NOUN);
            }
            List<Printer> members =
                    printers.find(tx, ListQuery.of(printers.columns(), Map.of("throttleGroupId", List.of(id))));
            if (!members.isEmpty()) {
                throw Problem.Conflict.of("the group has printers: "
                        + members.stream().map(Printer::id).collect(Collectors.joining(", ")));
            }
            return table.delete(tx, List.of(id));
        });
    }
}
