package farm.gantry.api.schedule;

import farm.gantry.api.live.LiveStates;
import farm.gantry.api.query.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.api.store.SchedulerRows;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.ThrottleHolds;
import farm.gantry.api.store.Tx;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterThrottleGroup;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.Filament;
import farm.gantry.schedule.Matching;
import farm.gantry.schedule.Throttle;
import farm.gantry.store.StoreSettings;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The store's printers and rules as the scheduler and its explanations see them. */
@Singleton
public final class Candidates {
    private final Table<Printer> printers;
    private final Table<PrinterThrottleGroup> groups;
    private final Table<StoreSettings> settings;
    private final SchedulerRows rows;
    private final ThrottleHolds holds;
    private final LiveStates states;

    Candidates(Tables tables, SchedulerRows rows, ThrottleHolds holds, LiveStates states) {
        this.printers = tables.of(Printer.class);
        this.groups = tables.of(PrinterThrottleGroup.class);
        this.settings = tables.of(StoreSettings.class);
        this.rows = rows;
        this.holds = holds;
        this.states = states;
    }

    public StoreSettings settings(Tx tx) {
        return settings.find(tx, tx.store().value()).orElseThrow();
    }

    public Matching matching(Tx tx, StoreSettings store) {
        return new Matching(
                rows.groups(tx),
                store.defaultMachineProfileId() != null,
                store.defaultProcessProfileId() != null,
                store.defaultFilamentProfileId() != null);
    }

    /** Those that might take work now. */
    List<Candidate> free(Tx tx) {
        return all(
                tx,
                ListQuery.all(printers.columns())
                        .where(Filter.of(printers.columns().get("isAvailable"), Operator.eq, "true"))
                        .where(Filter.of(printers.columns().get("confirmedReady"), Operator.eq, "true"))
                        .where(Filter.of(printers.columns().get("commMethod"), Operator.eq, "fuse")));
    }

    /** All printers of the store, whatever they do. */
    public List<Candidate> all(Tx tx) {
        return all(tx, ListQuery.all(printers.columns()));
    }

    private List<Candidate> all(Tx tx, ListQuery query) {
        List<Printer> found = printers.find(tx, query.page(Integer.MAX_VALUE, 0));
        if (found.isEmpty()) {
            return List.of();
        }
        Set<String> busy = rows.busy(tx);
        Set<String> clearing = rows.clearing(tx);
        Set<String> full = full(tx);
        Map<String, List<Filament>> said = rows.filaments(tx);
        Map<String, List<PrinterState.FilamentSlot>> seen = states.filamentSlots(tx);
        return found.stream()
                .map(printer -> new Candidate(
                        printer,
                        busy.contains(printer.id()),
                        clearing.contains(printer.id()),
                        printer.throttleGroupId() != null && full.contains(printer.throttleGroupId()),
                        loaded(said.getOrDefault(printer.id(), List.of()), seen.getOrDefault(printer.id(), List.of()))))
                .toList();
    }

    /** The throttle groups that let nobody start now. */
    private Set<String> full(Tx tx) {
        Map<String, List<Throttle.Hold>> held = holds.all(tx);
        if (held.isEmpty()) {
            return Set.of();
        }
        Set<String> full = new HashSet<>();
        groups.find(tx, ListQuery.all(groups.columns()).page(Integer.MAX_VALUE, 0)).stream()
                .filter(group -> group.enabled()
                        && held.getOrDefault(group.id(), List.of()).size() >= group.maxConcurrentStarts())
                .forEach(group -> full.add(group.id()));
        return full;
    }

    /** The printer knows best whether a place is empty, a person what it holds. */
    static List<Filament> loaded(List<Filament> said, List<PrinterState.FilamentSlot> seen) {
        List<Filament> loaded = new ArrayList<>();
        for (Filament filament : said) {
            Optional<PrinterState.FilamentSlot> slot =
                    seen.stream().filter(each -> isAt(each, filament.slot())).findFirst();
            boolean isKnown = filament.materialType() != null || filament.materialId() != null;
            if (slot.map(PrinterState.FilamentSlot::loaded).orElse(isKnown)) {
                String type = isKnown
                        ? filament.materialType()
                        : slot.map(PrinterState.FilamentSlot::materialType).orElse(null);
                loaded.add(new Filament(
                        filament.slot(), filament.variantId(), filament.materialId(), type, filament.hasProfile()));
            }
        }
        seen.stream()
                .filter(PrinterState.FilamentSlot::loaded)
                .filter(slot -> said.stream().noneMatch(filament -> isAt(slot, filament.slot())))
                .map(slot -> new Filament(
                        new PrintJob.Slot(slot.amsIndex(), slot.slotIndex()), null, null, slot.materialType(), false))
                .forEach(loaded::add);
        loaded.sort(
                Comparator.comparingInt((Filament filament) -> filament.slot().amsIndex())
                        .thenComparingInt(filament -> filament.slot().slotIndex()));
        return loaded;
    }

    private static boolean isAt(PrinterState.FilamentSlot seen, PrintJob.Slot slot) {
        return Objects.equals(new PrintJob.Slot(seen.amsIndex(), seen.slotIndex()), slot);
    }
}
