package farm.gantry.api.profile;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.query.ListQuery;
import farm.gantry.material.Material;
import farm.gantry.material.MaterialVariant;
import farm.gantry.part.Part;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterSlot;
import farm.gantry.profile.Profile;
import farm.gantry.store.StoreSettings;
import farm.gantry.wire.SliceSetup;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the profiles that parts are sliced with. A user's profile goes before a slicer's, the printer's before the store's, and
 * the variant's of a loaded filament before its material's.
 */
@Singleton
public final class SlicingProfiles {
    private final Table<Profile> profiles;
    private final Table<PrinterSlot> slots;
    private final Table<MaterialVariant> variants;
    private final Table<Material> materials;
    private final ProfileResolver settings;
    private final SlicerBundles bundles;

    SlicingProfiles(Tables tables, ProfileResolver settings, SlicerBundles bundles) {
        this.profiles = tables.of(Profile.class);
        this.slots = tables.of(PrinterSlot.class);
        this.variants = tables.of(MaterialVariant.class);
        this.materials = tables.of(Material.class);
        this.settings = settings;
        this.bundles = bundles;
    }

    /** Returns the slicer that a part asks for, else the store's; null for any. */
    public static @Nullable String slicer(Part part, StoreSettings store) {
        return part.slicerOverride() == null && store.slicer() != null
                ? store.slicer().name()
                : part.slicerOverride();
    }

    /** A lookup for some printers of the transaction's store, which reads each profile and each material once. */
    public Lookup lookup(Tx tx, StoreSettings store, Collection<String> printerIds) {
        return new Lookup(tx, store, printerIds);
    }

    /** The profiles of a store's printers and filaments; not for use after its transaction. */
    public final class Lookup {
        private final Tx tx;
        private final StoreSettings store;
        private final Map<String, List<PrinterSlot>> slotsByPrinter;
        private final Map<String, Optional<SliceSetup.Profile>> storeProfile = new HashMap<>();
        private final Map<String, Optional<SliceSetup.Profile>> ofVariants = new HashMap<>();
        private final Map<String, Optional<SliceSetup.Profile>> ofMaterials = new HashMap<>();

        private Lookup(Tx tx, StoreSettings store, Collection<String> printerIds) {
            this.tx = tx;
            this.store = store;
            this.slotsByPrinter =
                    slots.find(tx, ListQuery.all(slots.columns(), PrinterSlot::printerId, printerIds)).stream()
                            .collect(Collectors.groupingBy(PrinterSlot::printerId));
        }

        public Optional<SliceSetup.Profile> machine(Printer printer) {
            return firstExisting(
                    printer.machineUserProfileId(), printer.machineSystemProfileId(), store.defaultMachineProfileId());
        }

        public Optional<SliceSetup.Profile> process(Printer printer) {
            return firstExisting(
                    printer.processUserProfileId(), printer.processSystemProfileId(), store.defaultProcessProfileId());
        }

        public List<PrinterSlot> slots(Printer printer) {
            return slotsByPrinter.getOrDefault(printer.id(), List.of());
        }

        /** The profile of the filament in the slot, else the store's default. */
        public Optional<SliceSetup.Profile> filament(PrinterSlot slot) {
            return cached(
                            ofVariants,
                            slot.variantId(),
                            id -> variants.find(tx, id)
                                    .flatMap(each ->
                                            firstExisting(each.filamentUserProfileId(), each.filamentSystemProfileId(), null)))
                    .or(() -> cached(
                            ofMaterials,
                            slot.materialId(),
                            id -> materials
                                    .find(tx, id)
                                    .flatMap(each ->
                                            firstExisting(each.filamentUserProfileId(), each.filamentSystemProfileId(), null))))
                    .or(this::defaultFilament);
        }

        public Optional<SliceSetup.Profile> defaultFilament() {
            return storeProfile(store.defaultFilamentProfileId());
        }

        /** A profile of the store; empty for null and for one that is gone. */
        public Optional<SliceSetup.Profile> storeProfile(@Nullable String id) {
            return cached(storeProfile, id, each -> profiles.find(tx, each).map(profile -> settings.forSlicing(tx, profile)));
        }

        /** The first of the profiles that exists. */
        private Optional<SliceSetup.Profile> firstExisting(
                @Nullable String user, @Nullable Long system, @Nullable String otherwise) {
            return storeProfile(user)
                    .or(() -> Optional.ofNullable(system).map(SlicingProfiles.this::ofSlicer))
                    .or(() -> storeProfile(otherwise));
        }

        private static <T> Optional<T> cached(
                Map<String, Optional<T>> known, @Nullable String id, Function<String, Optional<T>> reading) {
            if (id == null) {
                return Optional.empty();
            }
            Optional<T> found = known.get(id);
            if (found == null) {
                found = reading.apply(id);
                known.put(id, found);
            }
            return found;
        }
    }

    private SliceSetup.Profile ofSlicer(long id) {
        String number = String.valueOf(id);
        return bundles.all()
                .find(id)
                .map(profile -> new SliceSetup.Profile(number, profile.name(), "", Map.of(), profile.slicer()))
                .orElseGet(() -> new SliceSetup.Profile(number, number, "", Map.of(), null));
    }
}
