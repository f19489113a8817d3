package farm.gantry.api.printer;

import farm.gantry.api.capability.Capabilities;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.file.JobRows;
import farm.gantry.api.job.lifecycle.FilamentUseRows;
import farm.gantry.api.material.FilamentRows;
import farm.gantry.api.printer.PrinterSlots.SlotAssignmentRequest;
import farm.gantry.api.printer.command.CommandRows;
import farm.gantry.api.query.Condition.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.StartWithdrawal;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.job.PrintJob;
import farm.gantry.material.Material;
import farm.gantry.material.MaterialInstance;
import farm.gantry.material.MaterialVariant;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterSlot;
import farm.gantry.wire.Command;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Assigns filament to slots of printers. Jobs that were sliced for the previous filament and have not started return to
 * the queue.
 */
@Singleton
final class SlotAssignments {
    private static final Duration COMMAND_TIMEOUT = Duration.ofMinutes(10);

    private final Resources<PrinterSlot> resource;
    private final Table<PrinterSlot> table;
    private final Table<Printer> printers;
    private final Table<Material> materials;
    private final Table<MaterialVariant> variants;
    private final Table<MaterialInstance> instances;
    private final Capabilities capabilities;
    private final CommandRows commands;
    private final JobRows jobRows;
    private final FilamentRows filaments;
    private final FilamentUseRows uses;
    private final StartWithdrawal starts;
    private final Webhooks webhooks;

    SlotAssignments(
            ResourceFactory factory,
            Tables tables,
            Capabilities capabilities,
            CommandRows commands,
            JobRows jobRows,
            FilamentRows filaments,
            FilamentUseRows uses,
            StartWithdrawal starts,
            Webhooks webhooks) {
        this.resource = factory.of(PrinterSlot.class, "printer slot");
        this.table = resource.table();
        this.printers = tables.of(Printer.class);
        this.materials = tables.of(Material.class);
        this.variants = tables.of(MaterialVariant.class);
        this.instances = tables.of(MaterialInstance.class);
        this.capabilities = capabilities;
        this.commands = commands;
        this.jobRows = jobRows;
        this.filaments = filaments;
        this.uses = uses;
        this.starts = starts;
        this.webhooks = webhooks;
    }

    /** The filament in a slot, from the spool down to its type. */
    private record SlotFilament(
            @Nullable String materialId,
            @Nullable String variantId,
            @Nullable String instanceId,
            @Nullable String materialType,
            @Nullable String color) {
        static final SlotFilament EMPTY = new SlotFilament(null, null, null, null, null);

        /** Whether this is other filament than that of the spool. */
        boolean replaces(String spool) {
            return !equals(EMPTY) && !spool.equals(instanceId);
        }

        /**
         * Whether the slot already contains this material, though possibly another spool, so that slices stay valid.
         */
        boolean isSameMaterial(PrinterSlot slot) {
            return Objects.equals(materialId, slot.materialId())
                    && Objects.equals(variantId, slot.variantId())
                    && Objects.equals(materialType, slot.materialType());
        }
    }

    /** Assigns the same filament to the slots of all the printers; returns the ids of the slots. */
    List<String> assign(Tx tx, SlotAssignmentRequest request) {
        List<PrinterSlot> holding = lockAffected(tx, request);
        Faults faults = new Faults();
        SlotFilament content = findFilament(tx, request, faults);
        if (setsOnPrinter(request)) {
            checkSupportsFilamentInfo(printers.lockAll(tx, request.printerIds()).values(), faults);
        }
        faults.check();
        List<Printer> chosen = printers.lockRequired(tx, request.printerIds());
        Map<String, Map<PrintJob.Slot, PrinterSlot>> known = findStoredSlots(tx, chosen);
        Map<String, List<PrintJob.Slot>> filled = new HashMap<>();
        Map<String, List<PrintJob.Slot>> refilled = new HashMap<>();
        Map<String, Change<PrinterSlot>> changes = new LinkedHashMap<>();
        List<PrinterSlot> made = new ArrayList<>();
        List<CommandRows.NewCommand> newCommands = new ArrayList<>();
        Set<String> replacedSpools = new TreeSet<>();
        for (Printer printer : chosen) {
            for (PrintJob.Slot place : slotsOf(request)) {
                PrinterSlot slot = known.getOrDefault(printer.id(), Map.of()).get(place);
                Map<String, Object> info = setsOnPrinter(request) ? filamentInfo(place, content) : null;
                if (info != null) {
                    newCommands.add(new CommandRows.NewCommand(
                            Objects.requireNonNull(printer.proxyClientId()),
                            printer.id(),
                            new Command.Send("set-slot-info", Map.of("info", info))));
                }
                Change<PrinterSlot> change = toChange(content, info);
                addSlot(filled, printer.id(), place);
                if (slot == null || !content.isSameMaterial(slot)) {
                    addSlot(refilled, printer.id(), place);
                }
                if (slot != null && slot.instanceId() != null && content.replaces(slot.instanceId())) {
                    replacedSpools.add(slot.instanceId());
                }
                if (slot == null) {
                    made.add(createSlot(tx, printer, place, change));
                } else {
                    changes.put(slot.id(), change);
                }
            }
        }
        List<String> assigned = Stream.concat(
                        changes.keySet().stream(), made.stream().map(PrinterSlot::id))
                .toList();
        List<PrinterSlot> left =
                holding.stream().filter(slot -> !assigned.contains(slot.id())).toList();
        // A spool can be in one slot only, so its previous slot becomes empty.
        Map<String, List<PrintJob.Slot>> emptied = new HashMap<>();
        for (PrinterSlot slot : left) {
            addSlot(emptied, slot.printerId(), toSlot(slot));
            addSlot(refilled, slot.printerId(), toSlot(slot));
            changes.put(slot.id(), toChange(SlotFilament.EMPTY, null));
        }
        uses.replaceSpool(tx, filled, content.instanceId());
        uses.replaceSpool(tx, emptied, null);
        table.changeAll(tx, changes);
        if (!made.isEmpty()) {
            table.insertUnchecked(tx, made, Secrets.Visibility.HIDDEN);
        }
        if (!newCommands.isEmpty()) {
            commands.addAll(tx, newCommands, COMMAND_TIMEOUT);
        }
        starts.unassign(tx, refilled);
        webhooks.resolveLackOfFilament(tx, replacedSpools);
        return assigned;
    }

    /**
     * Locks slots, then the jobs of the affected printers, then those printers; returns the slots that hold the spool.
     */
    private List<PrinterSlot> lockAffected(Tx tx, SlotAssignmentRequest request) {
        filaments.lock(tx);
        List<PrinterSlot> holding = findSlotsHolding(tx, request.instanceId());
        Set<String> concerned = Stream.concat(
                        request.printerIds().stream(), holding.stream().map(PrinterSlot::printerId))
                .collect(Collectors.toSet());
        jobRows.lockJobsAtPrinters(tx, concerned);
        printers.lockWithoutReading(tx, concerned);
        return holding;
    }

    private List<PrinterSlot> findSlotsHolding(Tx tx, @Nullable String spool) {
        return spool == null
                ? List.of()
                : table.find(
                        tx,
                        ListQuery.all(table.columns())
                                .where(Filter.of(table.columns().get(PrinterSlot::instanceId), Operator.eq, spool)));
    }

    private SlotFilament findFilament(Tx tx, SlotAssignmentRequest request, Faults faults) {
        Optional<MaterialInstance> instance = findNamed(tx, instances, request.instanceId(), "instanceId", faults);
        String variantId = request.variantId() == null
                ? instance.map(MaterialInstance::variantId).orElse(null)
                : request.variantId();
        Optional<MaterialVariant> variant = findNamed(tx, variants, variantId, "variantId", faults);
        String materialId = Stream.of(
                        Optional.ofNullable(request.materialId()),
                        variant.map(MaterialVariant::materialId),
                        instance.map(MaterialInstance::materialId))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(null);
        Optional<Material> material = findNamed(tx, materials, materialId, "materialId", faults);
        String type = Stream.of(
                        Optional.ofNullable(request.materialType()),
                        material.map(Material::type),
                        instance.map(MaterialInstance::materialType))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(null);
        return new SlotFilament(
                materialId,
                variantId,
                request.instanceId(),
                type,
                variant.map(MaterialVariant::color).orElse(null));
    }

    private static <R> Optional<R> findNamed(Tx tx, Table<R> table, @Nullable String id, String field, Faults faults) {
        Optional<R> found = id == null ? Optional.empty() : table.find(tx, id);
        if (id != null && found.isEmpty()) {
            faults.add(field, "unknown", field + ": there is no " + id);
        }
        return found;
    }

    private void checkSupportsFilamentInfo(Collection<Printer> chosen, Faults faults) {
        for (Printer printer : chosen) {
            if (printer.proxyClientId() == null || !capabilities.find(printer).canSetFilamentInfo()) {
                faults.add(
                        "setOnPrinter", "invalid", "printer " + printer.id() + " does not accept filament information");
            }
        }
    }

    private static boolean setsOnPrinter(SlotAssignmentRequest request) {
        return Boolean.TRUE.equals(request.setOnPrinter());
    }

    private static List<PrintJob.Slot> slotsOf(SlotAssignmentRequest request) {
        return request.slots().stream()
                .map(place -> new PrintJob.Slot(place.amsIndex(), place.slotIndex()))
                .distinct()
                .toList();
    }

    private static PrintJob.Slot toSlot(PrinterSlot slot) {
        return new PrintJob.Slot(slot.amsIndex(), slot.slotIndex());
    }

    /** Printer id → its stored slots. */
    private Map<String, Map<PrintJob.Slot, PrinterSlot>> findStoredSlots(Tx tx, List<Printer> chosen) {
        List<String> ids = chosen.stream().map(Printer::id).toList();
        return table.find(tx, ListQuery.all(table.columns(), PrinterSlot::printerId, ids)).stream()
                .collect(Collectors.groupingBy(
                        PrinterSlot::printerId, Collectors.toMap(SlotAssignments::toSlot, Function.identity())));
    }

    private static void addSlot(Map<String, List<PrintJob.Slot>> slotsOf, String printerId, PrintJob.Slot place) {
        slotsOf.computeIfAbsent(printerId, _ -> new ArrayList<>()).add(place);
    }

    private PrinterSlot createSlot(Tx tx, Printer printer, PrintJob.Slot place, Change<PrinterSlot> content) {
        Map<String, Object> fields = Map.of(
                "printerId", printer.id(),
                "amsIndex", place.amsIndex(),
                "slotIndex", place.slotIndex(),
                "slot", PrinterSlot.name(place.amsIndex(), place.slotIndex()));
        return Change.applied(resource.parseNew(tx.store(), JsonNode.createObjectNode(Map.of()), fields), content);
    }

    private static Change<PrinterSlot> toChange(SlotFilament content, @Nullable Map<String, Object> info) {
        return new Change<PrinterSlot>()
                .set(PrinterSlot::materialId, content.materialId())
                .set(PrinterSlot::variantId, content.variantId())
                .set(PrinterSlot::instanceId, content.instanceId())
                .set(PrinterSlot::materialType, content.materialType())
                .set(PrinterSlot::expectedData, info);
    }

    /** Returns the filament information that is sent to the printer. */
    private static Map<String, Object> filamentInfo(PrintJob.Slot place, SlotFilament content) {
        Map<String, Object> info = new HashMap<>(Map.of("amsId", place.amsIndex(), "slotId", place.slotIndex()));
        if (content.materialType() != null) {
            info.put("materialType", content.materialType());
        }
        if (content.color() != null) {
            info.put("color", content.color());
        }
        return info;
    }
}
