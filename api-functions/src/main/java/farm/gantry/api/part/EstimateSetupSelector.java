package farm.gantry.api.part;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.profile.SlicingProfiles;
import farm.gantry.api.query.ListQuery;
import farm.gantry.part.Part;
import farm.gantry.printer.Printer;
import farm.gantry.schedule.JobMatcher;
import farm.gantry.store.StoreSettings;
import farm.gantry.wire.SliceSetup;
import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings that a part's estimate is sliced with: those of the enabled printers that would take it. */
@Singleton
final class EstimateSetupSelector {
    /** Each takes a slicer's run of seconds to minutes. */
    private static final int MAX_SETUPS = 3;

    private final Table<Printer> printers;
    private final Table<StoreSettings> settings;
    private final SlicingProfiles profiles;

    EstimateSetupSelector(Tables tables, SlicingProfiles profiles) {
        this.printers = tables.of(Printer.class);
        this.settings = tables.of(StoreSettings.class);
        this.profiles = profiles;
    }

    /** The settings of the most printers first, at most three; the part's own process alone where no printer has a profile. */
    List<SliceSetup> select(Tx tx, Part part) {
        if (part.type() == Part.Type.gcode || part.type() == Part.Type.gcode3mf) {
            return List.of(SliceSetup.PLAIN);
        }
        StoreSettings store = settings.find(tx, tx.store().value()).orElseThrow();
        List<Printer> suitable = printers.find(tx, ListQuery.all(printers.columns(), Printer::enabled, "true")).stream()
                .filter(printer -> JobMatcher.allows(part.printTags(), printer))
                .toList();
        SlicingProfiles.Lookup lookup =
                profiles.lookup(tx, store, suitable.stream().map(Printer::id).toList());
        Map<SliceSetup, Integer> counts = new LinkedHashMap<>();
        for (Printer printer : suitable) {
            SliceSetup setup = setup(lookup, store, part, printer);
            if (setup.machine() != null) {
                counts.merge(setup, 1, Integer::sum);
            }
        }
        return counts.isEmpty()
                ? List.of(setup(lookup, store, part, null))
                : counts.entrySet().stream()
                        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                        .limit(MAX_SETUPS)
                        .map(Map.Entry::getKey)
                        .toList();
    }

    private static SliceSetup setup(
            SlicingProfiles.Lookup lookup, StoreSettings store, Part part, @Nullable Printer printer) {
        return new SliceSetup(
                printer == null
                        ? lookup.storeProfile(store.defaultMachineProfileId()).orElse(null)
                        : lookup.machine(printer).orElse(null),
                lookup.storeProfile(part.overriddenProcessProfileId()).orElse(null),
                printer == null
                        ? lookup.storeProfile(store.defaultProcessProfileId()).orElse(null)
                        : lookup.process(printer).orElse(null),
                printer == null ? lookup.defaultFilament().stream().toList() : filament(lookup, printer),
                part.use3MFProcessProfile(),
                part.arrangeable(),
                SlicingProfiles.slicer(part, store));
    }

    /** The first filament that is loaded in the printer and has a profile, else the store's default. */
    private static List<SliceSetup.Profile> filament(SlicingProfiles.Lookup lookup, Printer printer) {
        return lookup.slots(printer).stream()
                .flatMap(slot -> lookup.filament(slot).stream())
                .findFirst()
                .or(lookup::defaultFilament)
                .stream()
                .toList();
    }
}
