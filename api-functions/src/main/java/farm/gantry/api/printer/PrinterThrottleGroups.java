package farm.gantry.api.printer;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.security.Caller;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterThrottleGroup;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Throttle groups: printers that start their prints one after another. They need the permissions for printers. */
@Controller("/v1/printer-throttle-groups")
final class PrinterThrottleGroups extends ResourceRoutes<PrinterThrottleGroup> {
    private final Table<Printer> printers;
    private final Database database;
    private final RecordReader reader;

    PrinterThrottleGroups(
            ResourceFactory factory, Tables tables, Database database, RecordReader reader, Scheduler scheduler) {
        super(factory.of(PrinterThrottleGroup.class, "printer throttle group")
                .followedBy((tx, _, _) -> tx.afterCommit(() -> scheduler.trigger(tx.store()))));
        this.printers = tables.of(Printer.class);
        this.database = database;
        this.reader = reader;
    }

    @Override
    public HttpResponse<PrinterThrottleGroup> create(Caller caller, @BodyType(with = GroupMembers.class) JsonNode body) {
        Faults faults = new Faults();
        Optional<PrinterThrottleGroup> read = faults.read("", () -> resources.parseNew(caller.store(), body, Map.of()));
        faults.read("", () -> reader.read(GroupMembers.class, body))
                .ifPresent(members -> addUnknown(caller, faults, members));
        faults.check();
        PrinterThrottleGroup group = read.orElseThrow();
        return JsonResponses.created(database.in(caller, tx -> {
            resources.create(tx, caller, group);
            replaceMembers(tx, group, readMembers(body));
            return resources
                    .table()
                    .get(tx, group.id(), resources.table().secretVisibility(caller))
                    .orElseThrow();
        }));
    }

    /** The printers of the group, or null to leave them unchanged. */
    @Serdeable
    record GroupMembers(@Nullable @Size(max = 1000) List<String> printerIds) {}

    private @Nullable List<String> readMembers(@Nullable JsonNode body) {
        return body == null || body.get("printerIds") == null
                ? null
                : Objects.requireNonNullElse(reader.read(GroupMembers.class, body).printerIds(), List.of());
    }

    /** Replaces the group's printers; each is removed from its previous group. */
    private PrinterThrottleGroup replaceMembers(Tx tx, PrinterThrottleGroup group, @Nullable List<String> ids) {
        if (ids != null) {
            ListQuery members = ListQuery.all(printers.columns(), Printer::throttleGroupId, group.id());
            List<String> before =
                    printers.find(tx, members).stream().map(Printer::id).toList();
            Set<String> now = Set.copyOf(ids);
            printers.lockWithoutReading(tx, Stream.concat(before.stream(), ids.stream()).toList());
            printers.changeAll(
                    tx,
                    before.stream().filter(id -> !now.contains(id)).toList(),
                    new Change<Printer>()
                            .when(Printer::throttleGroupId, group.id())
                            .set(Printer::throttleGroupId, null));
            Set<String> taken =
                    printers.changeAll(tx, now, new Change<Printer>().set(Printer::throttleGroupId, group.id()));
            Faults faults = new Faults();
            addUnknown(faults, ids, id -> !taken.contains(id));
            faults.check();
        }
        return group;
    }

    private static void addUnknown(Faults faults, List<String> ids, Predicate<String> isMissing) {
        for (int i = 0; i < ids.size(); i++) {
            if (isMissing.test(ids.get(i))) {
                faults.add("printerIds[" + i + "]", "unknown", "there is no printer " + ids.get(i));
            }
        }
    }

    /** Adds unknown printers to the faults, if the group is rejected anyway. */
    private void addUnknown(Caller caller, Faults faults, GroupMembers members) {
        List<String> ids = members.printerIds();
        if (faults.size() > 0 && ids != null) {
            addUnknown(faults, ids, database.in(caller, tx -> printers.findMissing(tx, ids))::contains);
        }
    }

    @Override
    public HttpResponse<PrinterThrottleGroup> patch(
            Caller caller, String id, IfMatch ifMatch, @BodyType(with = GroupMembers.class) JsonNode body) {
        Faults faults = new Faults();
        faults.read("", () -> reader.checkPatch(PrinterThrottleGroup.class, body));
        faults.read("", () -> reader.read(GroupMembers.class, body))
                .ifPresent(members -> addUnknown(caller, faults, members));
        faults.check();
        return super.patch(caller, id, ifMatch, body);
    }

    @Override
    protected Resources.ChangeRule<PrinterThrottleGroup> rule(Caller caller, @Nullable JsonNode update) {
        return (tx, _, group) -> replaceMembers(tx, group, readMembers(update));
    }
}
