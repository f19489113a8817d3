package farm.gantry.api.printer;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.error.Faults;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.printer.command.AgentSignals;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.ReadRoutes;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.printer.PrinterSlot;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Patch;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Filament in printers' slots. A slot is stored when something is first assigned to it. */
@Controller("/v1/printer-slots")
final class PrinterSlots extends ReadRoutes<PrinterSlot> {
    private final Database database;
    private final RecordReader reader;
    private final SlotAssignments assignments;
    private final Scheduler scheduler;
    private final AgentSignals agents;

    PrinterSlots(
            ResourceFactory factory,
            Database database,
            RecordReader reader,
            SlotAssignments assignments,
            Scheduler scheduler,
            AgentSignals agents) {
        super(factory.of(PrinterSlot.class, "printer slot"));
        this.database = database;
        this.reader = reader;
        this.assignments = assignments;
        this.scheduler = scheduler;
        this.agents = agents;
    }

    /**
     * An assignment to slots: at most one material. Without a material the slots are emptied. With {@code setOnPrinter}
     * the printers are also configured.
     */
    @Serdeable
    record SlotAssignmentRequest(
            @Size(min = 1, max = 1000) List<String> printerIds,
            @Size(min = 1, max = 100) List<@Valid SlotIndex> slots,
            @Nullable String materialId,
            @Nullable String variantId,
            @Nullable String instanceId,
            @Nullable @NotBlank String materialType,
            @Nullable Boolean setOnPrinter) {
        boolean assignsSpoolToSeveralSlots() {
            return instanceId != null
                    && Set.copyOf(printerIds).size() * Set.copyOf(slots).size() > 1;
        }
    }

    @Serdeable
    record SlotIndex(
            @Min(0) @Max(255) int amsIndex,
            @Min(0) @Max(255) int slotIndex) {}

    /**
     * Assigns filament to slots of printers. All the slots get the same filament. If the request is invalid, none is
     * changed.
     */
    @Patch("/assign")
    @RequiresPermission(Permission.PRINTER_EDIT)
    HttpResponse<List<PrinterSlot>> assign(Caller caller, @Body @BodyType(SlotAssignmentRequest.class) JsonNode body) {
        Faults faults = new Faults();
        Optional<SlotAssignmentRequest> read = faults.read("", () -> reader.read(SlotAssignmentRequest.class, body));
        if (Stream.of("materialId", "variantId", "instanceId", "materialType")
                        .map(body::get)
                        .filter(named -> named != null && !named.isNull())
                        .count()
                > 1) {
            faults.add(
                    "",
                    "invalid",
                    "set at most one of materialId, variantId, instanceId and materialType; set none to empty the slots");
        }
        if (read.filter(SlotAssignmentRequest::assignsSpoolToSeveralSlots).isPresent()) {
            faults.add("instanceId", "invalid", "instanceId: a spool can be in one slot only");
        }
        faults.check();
        SlotAssignmentRequest request = read.orElseThrow();
        HttpResponse<List<PrinterSlot>> answer = JsonResponses.ok(database.in(
                caller, tx -> resources.table().get(tx, assignments.assign(tx, request), Secrets.Visibility.HIDDEN)));
        scheduler.trigger(caller.store());
        agents.signal(caller.store());
        return answer;
    }
}
