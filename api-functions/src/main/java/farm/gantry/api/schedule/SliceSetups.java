package farm.gantry.api.schedule;

import farm.gantry.api.profile.ProfileSettings;
import farm.gantry.api.profile.SlicerBundles;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.job.PrintJob;
import farm.gantry.material.Material;
import farm.gantry.material.MaterialVariant;
import farm.gantry.part.Part;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterSlot;
import farm.gantry.profile.Profile;
import farm.gantry.store.StoreSettings;
import farm.gantry.wire.SliceSetup;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a job's part is sliced with for its printer. A user's profile goes before a slicer's, the printer's before the
 * store's, and a filament's comes from what is loaded in the place it was mapped to: its variant's before its material's.
 */
@Singleton
final class SliceSetups {
    private final Table<Profile> profiles;
    private final Table<PrinterSlot> slots;
    private final Table<MaterialVariant> variants;
    private final Table<Material> materials;
    private final ProfileSettings settings;
    private final SlicerBundles bundles;

    SliceSetups(Tables tables, ProfileSettings settings, SlicerBundles bundles) {
        this.profiles = tables.of(Profile.class);
        this.slots = tables.of(PrinterSlot.class);
        this.variants = tables.of(MaterialVariant.class);
        this.materials = tables.of(Material.class);
        this.settings = settings;
        this.bundles = bundles;
    }

    SliceSetup of(Tx tx, StoreSettings store, PrintJob job, Part part, Printer printer) {
        return new SliceSetup(
                first(
                        tx,
                        printer.machineUserProfileId(),
                        printer.machineSystemProfileId(),
                        store.defaultMachineProfileId()),
                first(tx, job.overriddenProcessProfileId(), null, null),
                first(
                        tx,
                        printer.processUserProfileId(),
                        printer.processSystemProfileId(),
                        store.defaultProcessProfileId()),
                filaments(tx, store, job, printer),
                part.use3MFProcessProfile() && part.type() == Part.Type.THREE_MF,
                part.arrangeable(),
                slicer(part, store));
    }

    private static @Nullable String slicer(Part part, StoreSettings store) {
        return part.slicerOverride() == null && store.slicer() != null
                ? store.slicer().name()
                : part.slicerOverride();
    }

    /** The first of the profiles that exists. */
    private SliceSetup.@Nullable Profile first(
            Tx tx, @Nullable String user, @Nullable Long system, @Nullable String otherwise) {
        return own(tx, user)
                .or(() -> Optional.ofNullable(system).map(this::brought))
                .or(() -> own(tx, otherwise))
                .orElse(null);
    }

    private Optional<SliceSetup.Profile> own(Tx tx, @Nullable String id) {
        return Optional.ofNullable(id)
                .flatMap(each -> profiles.find(tx, each))
                .map(profile -> settings.forSlicing(tx, profile));
    }

    private SliceSetup.Profile brought(long id) {
        String number = String.valueOf(id);
        return bundles.all()
                .find(id)
                .map(profile -> new SliceSetup.Profile(number, profile.name(), "", Map.of(), profile.slicer()))
                .orElseGet(() -> new SliceSetup.Profile(number, number, "", Map.of(), null));
    }

    /**
     * The profile of each filament at its index. An index that the job does not use gets the first that it does: a printer
     * of one nozzle prints whatever filament with the settings at index 0.
     */
    private List<SliceSetup.Profile> filaments(Tx tx, StoreSettings store, PrintJob job, Printer printer) {
        Map<String, PrintJob.Slot> mapping = job.materialMapping();
        if (mapping == null || mapping.isEmpty()) {
            return own(tx, store.defaultFilamentProfileId()).stream().toList();
        }
        List<PrinterSlot> known = slots.find(tx, ListQuery.all(slots.columns(), "printerId", printer.id()));
        TreeMap<Integer, SliceSetup.Profile> loaded = new TreeMap<>();
        mapping.forEach((index, place) -> known.stream()
                .filter(slot -> slot.amsIndex() == place.amsIndex() && slot.slotIndex() == place.slotIndex())
                .flatMap(slot -> Stream.ofNullable(filament(tx, store, slot)))
                .findFirst()
                .ifPresent(profile -> loaded.put(Integer.valueOf(index), profile)));
        if (loaded.isEmpty()) {
            return own(tx, store.defaultFilamentProfileId()).stream().toList();
        }
        SliceSetup.Profile other = loaded.firstEntry().getValue();
        return IntStream.rangeClosed(0, loaded.lastKey())
                .mapToObj(index -> loaded.getOrDefault(index, other))
                .toList();
    }

    private SliceSetup.@Nullable Profile filament(Tx tx, StoreSettings store, PrinterSlot slot) {
        Optional<MaterialVariant> variant =
                Optional.ofNullable(slot.variantId()).flatMap(id -> variants.find(tx, id));
        Optional<Material> material = Optional.ofNullable(slot.materialId()).flatMap(id -> materials.find(tx, id));
        return Stream.of(
                        variant.map(
                                each -> first(tx, each.filamentUserProfileId(), each.filamentSystemProfileId(), null)),
                        material.map(
                                each -> first(tx, each.filamentUserProfileId(), each.filamentSystemProfileId(), null)),
                        own(tx, store.defaultFilamentProfileId()))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(null);
    }
}
