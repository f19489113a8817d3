package farm.gantry.api.printer;

import farm.gantry.api.capability.Capabilities;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.file.JobRows;
import farm.gantry.api.job.lifecycle.FilamentUseRows;
import farm.gantry.api.material.FilamentRows;
import farm.gantry.api.printer.PrinterSlots.Assigning;
import farm.gantry.api.printer.command.CommandRows;
import farm.gantry.api.query.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.WithdrawnStarts;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Puts filament into places of printers; jobs that are sliced for what was there and have not begun return to the queue. */
@Singleton
final class SlotAssignments {
    private static final Duration TOLD_WITHIN = Duration.ofMinutes(10);

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
    private final WithdrawnStarts starts;

    SlotAssignments(
            ResourceFactory factory,
            Tables tables,
            Capabilities capabilities,
            CommandRows commands,
            JobRows jobRows,
            FilamentRows filaments,
            FilamentUseRows uses,
            WithdrawnStarts starts) {
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
    }

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

    /** Puts the same into the places of all the printers; returns the ids of their slots. */
    List<String> assign(Tx tx, Assigning asked) {
        List<PrinterSlot> holding = lock(tx, asked);
        Faults faults = new Faults();
        Content content = content(tx, asked, faults);
        if (tells(asked)) {
            checkTold(printers.lockAll(tx, asked.printerIds()).values(), faults);
        }
        faults.check();
        List<Printer> chosen = printers.lockNamed(tx, asked.printerIds());
        Map<String, Map<PrintJob.Slot, PrinterSlot>> known = known(tx, chosen);
        Map<String, List<PrintJob.Slot>> filled = new HashMap<>();
        Map<String, List<PrintJob.Slot>> refilled = new HashMap<>();
        List<Map<String, @Nullable Object>> changes = new ArrayList<>();
        List<PrinterSlot> made = new ArrayList<>();
        List<CommandRows.Order> orders = new ArrayList<>();
        for (Printer printer : chosen) {
            for (PrintJob.Slot place : places(asked)) {
                PrinterSlot slot = known.getOrDefault(printer.id(), Map.of()).get(place);
                Map<String, Object> told = tells(asked) ? told(place, content) : null;
                if (told != null) {
                    orders.add(new CommandRows.Order(
                            Objects.requireNonNull(printer.proxyClientId()),
                            printer.id(),
                            new Command.Send("set-slot-info", Map.of("info", told))));
                }
                Map<String, @Nullable Object> fields = fields(content, told);
                add(filled, printer.id(), place);
                if (slot == null || !content.isOf(slot)) {
                    add(refilled, printer.id(), place);
                }
                if (slot == null) {
                    made.add(made(tx, printer, place, fields));
                } else {
                    changes.add(with(slot.id(), fields));
                }
            }
        }
        List<String> assigned = Stream.concat(
                        changes.stream().map(change -> String.valueOf(change.get("id"))),
                        made.stream().map(PrinterSlot::id))
                .toList();
        List<PrinterSlot> left =
                holding.stream().filter(slot -> !assigned.contains(slot.id())).toList();
        // A spool is in one place: where it was before, nothing is then.
        Map<String, List<PrintJob.Slot>> emptied = new HashMap<>();
        for (PrinterSlot slot : left) {
            add(emptied, slot.printerId(), place(slot));
            add(refilled, slot.printerId(), place(slot));
            changes.add(with(slot.id(), fields(Content.NOTHING, null)));
        }
        uses.replaceSpool(tx, filled, content.instanceId());
        uses.replaceSpool(tx, emptied, null);
        table.changeAll(tx, Map.of(), changes);
        if (!made.isEmpty()) {
            table.insertReferring(tx, made, Secrets.Shown.HIDDEN);
        }
        if (!orders.isEmpty()) {
            commands.addAll(tx, orders, TOLD_WITHIN);
        }
        starts.unassign(tx, refilled);
        return assigned;
    }

    /** Locks what slots say, then the jobs of all printers that are concerned, then the printers; returns who has the spool. */
    private List<PrinterSlot> lock(Tx tx, Assigning asked) {
        filaments.lock(tx);
        List<PrinterSlot> holding = holding(tx, asked.instanceId());
        Set<String> concerned = Stream.concat(
                        asked.printerIds().stream(), holding.stream().map(PrinterSlot::printerId))
                .collect(Collectors.toSet());
        jobRows.lockOf(tx, concerned);
        printers.lockUnread(tx, concerned);
        return holding;
    }

    private List<PrinterSlot> holding(Tx tx, @Nullable String spool) {
        return spool == null
                ? List.of()
                : table.find(
                        tx,
                        ListQuery.all(table.columns())
                                .where(Filter.of(table.columns().get("instanceId"), Operator.eq, spool)));
    }

    private Content content(Tx tx, Assigning asked, Faults faults) {
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

    /** A printer that cannot be told of its filament refuses to be. */
    private void checkTold(Collection<Printer> chosen, Faults faults) {
        for (Printer printer : chosen) {
            if (printer.proxyClientId() == null || !capabilities.of(printer).canSetFilamentInfo()) {
                faults.add("setOnPrinter", "invalid", "printer " + printer.id() + " cannot be told of its filament");
            }
        }
    }

    private static boolean tells(Assigning asked) {
        return Boolean.TRUE.equals(asked.setOnPrinter());
    }

    private static List<PrintJob.Slot> places(Assigning asked) {
        return asked.slots().stream()
                .map(place -> new PrintJob.Slot(place.amsIndex(), place.slotIndex()))
                .distinct()
                .toList();
    }

    private static PrintJob.Slot place(PrinterSlot slot) {
        return new PrintJob.Slot(slot.amsIndex(), slot.slotIndex());
    }

    /** Printer → its places that are known. */
    private Map<String, Map<PrintJob.Slot, PrinterSlot>> known(Tx tx, List<Printer> chosen) {
        List<String> ids = chosen.stream().map(Printer::id).toList();
        return table.find(tx, ListQuery.all(table.columns(), "printerId", ids)).stream()
                .collect(Collectors.groupingBy(
                        PrinterSlot::printerId, Collectors.toMap(SlotAssignments::place, Function.identity())));
    }

    private static void add(Map<String, List<PrintJob.Slot>> places, String printerId, PrintJob.Slot place) {
        places.computeIfAbsent(printerId, _ -> new ArrayList<>()).add(place);
    }

    private PrinterSlot made(Tx tx, Printer printer, PrintJob.Slot place, Map<String, @Nullable Object> fields) {
        fields.put("printerId", printer.id());
        fields.put("amsIndex", place.amsIndex());
        fields.put("slotIndex", place.slotIndex());
        fields.put("slot", PrinterSlot.name(place.amsIndex(), place.slotIndex()));
        return resource.record(tx.store(), JsonNode.createObjectNode(Map.of()), fields);
    }

    private static Map<String, @Nullable Object> with(String id, Map<String, @Nullable Object> fields) {
        fields.put("id", id);
        return fields;
    }

    private static Map<String, @Nullable Object> fields(Content content, @Nullable Map<String, Object> told) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("materialId", content.materialId());
        fields.put("variantId", content.variantId());
        fields.put("instanceId", content.instanceId());
        fields.put("materialType", content.materialType());
        fields.put("expectedData", told);
        return fields;
    }

    /** What a printer is told of the place. */
    private static Map<String, Object> told(PrintJob.Slot place, Content content) {
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
