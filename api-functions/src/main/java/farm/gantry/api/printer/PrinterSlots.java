package farm.gantry.api.printer;

import farm.gantry.Permission;
import farm.gantry.api.capability.Capabilities;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.query.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.api.resource.Answers;
import farm.gantry.api.resource.ReadRoutes;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.schedule.AgentSignals;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.schedule.WithdrawnStarts;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.api.store.CommandRows;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.FilamentUseRows;
import farm.gantry.api.store.JobRows;
import farm.gantry.api.store.Secrets;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.job.PrintJob;
import farm.gantry.material.Material;
import farm.gantry.material.MaterialInstance;
import farm.gantry.material.MaterialVariant;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterSlot;
import farm.gantry.wire.Command;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What filament is where; a place is known from the first time something is assigned to it. */
@Controller("/v1/printer-slots")
final class PrinterSlots extends ReadRoutes<PrinterSlot> {
    private static final Duration TOLD_WITHIN = Duration.ofMinutes(10);

    private final Table<PrinterSlot> table;
    private final Table<Printer> printers;
    private final Table<Material> materials;
    private final Table<MaterialVariant> variants;
    private final Table<MaterialInstance> instances;
    private final Database database;
    private final RecordReader reader;
    private final Capabilities capabilities;
    private final CommandRows commands;
    private final JobRows jobRows;
    private final FilamentUseRows uses;
    private final WithdrawnStarts starts;
    private final Scheduler scheduler;
    private final AgentSignals agents;

    PrinterSlots(
            ResourceFactory factory,
            Tables tables,
            Database database,
            RecordReader reader,
            Capabilities capabilities,
            CommandRows commands,
            JobRows jobRows,
            FilamentUseRows uses,
            WithdrawnStarts starts,
            Scheduler scheduler,
            AgentSignals agents) {
        super(factory.of(PrinterSlot.class, "printer slot"));
        this.table = resources.table();
        this.printers = tables.of(Printer.class);
        this.materials = tables.of(Material.class);
        this.variants = tables.of(MaterialVariant.class);
        this.instances = tables.of(MaterialInstance.class);
        this.database = database;
        this.reader = reader;
        this.capabilities = capabilities;
        this.commands = commands;
        this.jobRows = jobRows;
        this.uses = uses;
        this.starts = starts;
        this.scheduler = scheduler;
        this.agents = agents;
    }

    /** One material at most: none empties the places. With {@code setOnPrinter} the printers are told too. */
    @Serdeable
    record Assigning(
            @Size(min = 1, max = 1000) List<String> printerIds,
            @Size(min = 1, max = 100) List<@Valid Place> slots,
            @Nullable String materialId,
            @Nullable String variantId,
            @Nullable String instanceId,
            @Nullable @NotBlank String materialType,
            @Nullable Boolean setOnPrinter) {}

    @Serdeable
    record Place(
            @Min(0) @Max(255) int amsIndex,
            @Min(0) @Max(255) int slotIndex) {}

    /** What is in a place, from the spool down to the type. */
    private record Content(
            @Nullable String materialId,
            @Nullable String variantId,
            @Nullable String instanceId,
            @Nullable String materialType,
            @Nullable String color) {
        static final Content NOTHING = new Content(null, null, null, null, null);

        /** Whether it is what is sliced for already, though it may be of another spool. */
        boolean isOf(PrinterSlot slot) {
            return Objects.equals(materialId, slot.materialId())
                    && Objects.equals(variantId, slot.variantId())
                    && Objects.equals(materialType, slot.materialType());
        }
    }

    /** Puts the same into the places of all the printers, or into none. */
    @Patch("/assign")
    @RequiresPermission(Permission.PRINTER_EDIT)
    HttpResponse<List<PrinterSlot>> assign(Caller caller, @Body @BodyType(Assigning.class) JsonNode body) {
        Assigning asked = reader.read(Assigning.class, body);
        if (Stream.of(asked.materialId(), asked.variantId(), asked.instanceId(), asked.materialType())
                        .filter(Objects::nonNull)
                        .count()
                > 1) {
            throw ProblemException.invalid(
                    "", "invalid", "say one of materialId, variantId, instanceId and materialType, or none to empty");
        }
        if (asked.instanceId() != null
                && Set.copyOf(asked.printerIds()).size()
                                * Set.copyOf(asked.slots()).size()
                        > 1) {
            throw ProblemException.invalid("instanceId", "invalid", "instanceId: a spool is in one place");
        }
        HttpResponse<List<PrinterSlot>> answer = Answers.ok(database.in(caller, tx -> {
            if (asked.instanceId() != null) {
                tx.alone("places of spool " + asked.instanceId());
            }
            Set<String> concerned = Stream.concat(
                            asked.printerIds().stream(),
                            holding(tx, asked.instanceId()).stream().map(PrinterSlot::printerId))
                    .collect(Collectors.toSet());
            jobRows.lockOf(tx, concerned);
            printers.lockUnread(tx, concerned);
            Content content = content(tx, asked);
            List<Printer> chosen = chosen(tx, asked);
            List<String> assigned = new ArrayList<>();
            Map<String, List<PrintJob.Slot>> refilled = new HashMap<>();
            for (Printer printer : chosen) {
                for (Place place : asked.slots()) {
                    boolean tells = Boolean.TRUE.equals(asked.setOnPrinter());
                    Map<String, Object> told = tells ? tell(tx, printer, place, content) : null;
                    assigned.add(assign(tx, printer, place, content, told, refilled));
                }
            }
            holding(tx, asked.instanceId()).stream()
                    .filter(slot -> !assigned.contains(slot.id()))
                    .forEach(slot -> takeOut(tx, slot, refilled));
            starts.unassign(tx, refilled);
            return table.get(tx, assigned, Secrets.Shown.HIDDEN);
        }));
        scheduler.trigger(caller.store());
        agents.signal(caller.store());
        return answer;
    }

    private List<PrinterSlot> holding(Tx tx, @Nullable String spool) {
        return spool == null
                ? List.of()
                : table.find(
                        tx,
                        ListQuery.all(table.columns())
                                .where(Filter.of(table.columns().get("instanceId"), Operator.eq, spool)));
    }

    /** A spool is in one place: where it was before, nothing is then. */
    private void takeOut(Tx tx, PrinterSlot slot, Map<String, List<PrintJob.Slot>> refilled) {
        uses.replaceSpool(tx, slot.printerId(), slot.amsIndex(), slot.slotIndex(), null);
        table.change(tx, slot.id(), Map.of(), contents(Content.NOTHING, null));
        add(refilled, slot.printerId(), slot.amsIndex(), slot.slotIndex());
    }

    private static void add(Map<String, List<PrintJob.Slot>> places, String printerId, int amsIndex, int slotIndex) {
        places.computeIfAbsent(printerId, _ -> new ArrayList<>()).add(new PrintJob.Slot(amsIndex, slotIndex));
    }

    private Content content(Tx tx, Assigning asked) {
        Faults faults = new Faults();
        Optional<MaterialInstance> instance = named(tx, instances, asked.instanceId(), "instanceId", faults);
        String variantId = asked.variantId() == null
                ? instance.map(MaterialInstance::variantId).orElse(null)
                : asked.variantId();
        Optional<MaterialVariant> variant = named(tx, variants, variantId, "variantId", faults);
        String materialId = Stream.of(
                        Optional.ofNullable(asked.materialId()),
                        variant.map(MaterialVariant::materialId),
                        instance.map(MaterialInstance::materialId))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(null);
        Optional<Material> material = named(tx, materials, materialId, "materialId", faults);
        faults.check();
        String type = Stream.of(
                        Optional.ofNullable(asked.materialType()),
                        material.map(Material::type),
                        instance.map(MaterialInstance::materialType))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(null);
        return new Content(
                materialId,
                variantId,
                asked.instanceId(),
                type,
                variant.map(MaterialVariant::color).orElse(null));
    }

    private static <R> Optional<R> named(Tx tx, Table<R> table, @Nullable String id, String field, Faults faults) {
        Optional<R> found = id == null ? Optional.empty() : table.find(tx, id);
        if (id != null && found.isEmpty()) {
            faults.add(field, "unknown", field + ": there is no " + id);
        }
        return found;
    }

    /** The printers; one that cannot be told of its filament refuses to be. */
    private List<Printer> chosen(Tx tx, Assigning asked) {
        List<Printer> chosen = printers.lockNamed(tx, asked.printerIds());
        Faults faults = new Faults();
        for (Printer printer : chosen) {
            if (Boolean.TRUE.equals(asked.setOnPrinter())
                    && (printer.proxyClientId() == null
                            || !capabilities.of(printer).canSetFilamentInfo())) {
                faults.add("setOnPrinter", "invalid", "printer " + printer.id() + " cannot be told of its filament");
            }
        }
        faults.check();
        return chosen;
    }

    /** Returns the slot's id; where it held another filament, it is added to {@code refilled}, by its printer. */
    private String assign(
            Tx tx,
            Printer printer,
            Place place,
            Content content,
            @Nullable Map<String, Object> told,
            Map<String, List<PrintJob.Slot>> refilled) {
        Map<String, @Nullable Object> fields = contents(content, told);
        uses.replaceSpool(tx, printer.id(), place.amsIndex(), place.slotIndex(), content.instanceId());
        Optional<PrinterSlot> known = table
                .find(
                        tx,
                        ListQuery.all(table.columns(), "printerId", printer.id())
                                .where(number("amsIndex", place.amsIndex()))
                                .where(number("slotIndex", place.slotIndex())))
                .stream()
                .findFirst();
        if (known.filter(content::isOf).isEmpty()) {
            add(refilled, printer.id(), place.amsIndex(), place.slotIndex());
        }
        if (known.isPresent()) {
            table.change(tx, known.get().id(), Map.of(), fields);
            return known.get().id();
        }
        fields.put("printerId", printer.id());
        fields.put("amsIndex", place.amsIndex());
        fields.put("slotIndex", place.slotIndex());
        fields.put("slot", PrinterSlot.name(place.amsIndex(), place.slotIndex()));
        PrinterSlot made = resources.record(tx.store(), JsonNode.createObjectNode(Map.of()), fields);
        table.insert(tx, made, Secrets.Shown.HIDDEN);
        return made.id();
    }

    private static Map<String, @Nullable Object> contents(Content content, @Nullable Map<String, Object> told) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("materialId", content.materialId());
        fields.put("variantId", content.variantId());
        fields.put("instanceId", content.instanceId());
        fields.put("materialType", content.materialType());
        fields.put("expectedData", told);
        return fields;
    }

    private Filter number(String column, int value) {
        return Filter.of(table.columns().get(column), Operator.eq, Integer.toString(value));
    }

    /** What the printer is told of the place. */
    private Map<String, Object> tell(Tx tx, Printer printer, Place place, Content content) {
        Map<String, Object> info = new HashMap<>(Map.of("amsId", place.amsIndex(), "slotId", place.slotIndex()));
        if (content.materialType() != null) {
            info.put("materialType", content.materialType());
        }
        if (content.color() != null) {
            info.put("color", content.color());
        }
        commands.add(
                tx,
                Objects.requireNonNull(printer.proxyClientId()),
                printer.id(),
                new Command.Send("set-slot-info", Map.of("info", info)),
                TOLD_WITHIN);
        return info;
    }
}
