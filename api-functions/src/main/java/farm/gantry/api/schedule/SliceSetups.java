package farm.gantry.api.schedule;

import farm.gantry.Sha256;
import farm.gantry.api.profile.ProfileSettings;
import farm.gantry.api.profile.SlicerBundles;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.builds.PartBuild;
import farm.gantry.job.PrintJob;
import farm.gantry.material.Material;
import farm.gantry.material.MaterialVariant;
import farm.gantry.part.Part;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterSlot;
import farm.gantry.profile.Profile;
import farm.gantry.store.StoreSettings;
import farm.gantry.wire.SliceSetup;
import io.micronaut.serde.ObjectMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
    private final Table<PartBuild> builds;
    private final Table<Printer> printers;
    private final ProfileSettings settings;
    private final SlicerBundles bundles;
    private final ObjectMapper mapper;

    SliceSetups(Tables tables, ProfileSettings settings, SlicerBundles bundles, ObjectMapper mapper) {
        this.profiles = tables.of(Profile.class);
        this.slots = tables.of(PrinterSlot.class);
        this.variants = tables.of(MaterialVariant.class);
        this.materials = tables.of(Material.class);
        this.builds = tables.of(PartBuild.class);
        this.printers = tables.of(Printer.class);
        this.settings = settings;
        this.bundles = bundles;
        this.mapper = mapper;
    }

    /** What is sliced, and with what. */
    record Sliced(Part part, SliceSetup setup) {}

    /** Job → what is sliced for it, and with what; of a job without a printer none. */
    Map<String, Sliced> of(Tx tx, StoreSettings store, Collection<PrintJob> jobs) {
        Map<String, Printer> assigned = printers.findAll(tx, texts(jobs, PrintJob::assignedPrinterId));
        Map<String, PartBuild> built = builds.findAll(tx, texts(jobs, PrintJob::partBuildId));
        Reading reading = new Reading(tx, store, assigned.keySet());
        Map<String, Sliced> sliced = new HashMap<>();
        for (PrintJob job : jobs) {
            Printer printer = assigned.get(job.assignedPrinterId());
            PartBuild build = built.get(job.partBuildId());
            if (printer != null && build != null) {
                sliced.put(job.id(), new Sliced(build.partCopy(), reading.setup(job, build.partCopy(), printer)));
            }
        }
        return sliced;
    }

    private static Set<String> texts(Collection<PrintJob> jobs, Function<PrintJob, @Nullable String> member) {
        return jobs.stream().map(member).filter(Objects::nonNull).collect(Collectors.toSet());
    }

    /** Of all settings, those that profiles inherit included. */
    String digest(SliceSetup setup) {
        try {
            return Sha256.of(mapper.writeValueAsBytes(setup));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable String slicer(Part part, StoreSettings store) {
        return part.slicerOverride() == null && store.slicer() != null
                ? store.slicer().name()
                : part.slicerOverride();
    }

    /** What is read of a store for some of its printers, each profile and each material once. */
    private final class Reading {
        private final Tx tx;
        private final StoreSettings store;
        private final Map<String, List<PrinterSlot>> slotsOf;
        private final Map<String, Optional<SliceSetup.Profile>> own = new HashMap<>();
        private final Map<String, Optional<SliceSetup.Profile>> ofVariants = new HashMap<>();
        private final Map<String, Optional<SliceSetup.Profile>> ofMaterials = new HashMap<>();

        private Reading(Tx tx, StoreSettings store, Collection<String> printerIds) {
            this.tx = tx;
            this.store = store;
            this.slotsOf = slots.find(tx, ListQuery.all(slots.columns(), "printerId", printerIds)).stream()
                    .collect(Collectors.groupingBy(PrinterSlot::printerId));
        }

        private SliceSetup setup(PrintJob job, Part part, Printer printer) {
            return new SliceSetup(
                    first(
                                    printer.machineUserProfileId(),
                                    printer.machineSystemProfileId(),
                                    store.defaultMachineProfileId())
                            .orElse(null),
                    own(job.overriddenProcessProfileId()).orElse(null),
                    first(
                                    printer.processUserProfileId(),
                                    printer.processSystemProfileId(),
                                    store.defaultProcessProfileId())
                            .orElse(null),
                    filaments(job, printer),
                    part.use3MFProcessProfile() && part.type() == Part.Type.THREE_MF,
                    part.arrangeable(),
                    slicer(part, store));
        }

        /** The first of the profiles that exists. */
        private Optional<SliceSetup.Profile> first(
                @Nullable String user, @Nullable Long system, @Nullable String otherwise) {
            return own(user)
                    .or(() -> Optional.ofNullable(system).map(SliceSetups.this::brought))
                    .or(() -> own(otherwise));
        }

        private Optional<SliceSetup.Profile> own(@Nullable String id) {
            return read(own, id, each -> profiles.find(tx, each).map(profile -> settings.forSlicing(tx, profile)));
        }

        private static <T> Optional<T> read(
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

        /**
         * The profile of each filament at its index. An index that the job does not use gets the first that it does: a
         * printer of one nozzle prints whatever filament with the settings at index 0.
         */
        private List<SliceSetup.Profile> filaments(PrintJob job, Printer printer) {
            TreeMap<Integer, SliceSetup.Profile> loaded = new TreeMap<>();
            Map<String, PrintJob.Slot> mapping = Objects.requireNonNullElse(job.materialMapping(), Map.of());
            mapping.forEach((index, place) -> slotsOf.getOrDefault(printer.id(), List.of()).stream()
                    .filter(slot -> slot.amsIndex() == place.amsIndex() && slot.slotIndex() == place.slotIndex())
                    .flatMap(slot -> filament(slot).stream())
                    .findFirst()
                    .ifPresent(profile -> loaded.put(Integer.valueOf(index), profile)));
            if (loaded.isEmpty()) {
                return own(store.defaultFilamentProfileId()).stream().toList();
            }
            SliceSetup.Profile other = loaded.firstEntry().getValue();
            return IntStream.rangeClosed(0, loaded.lastKey())
                    .mapToObj(index -> loaded.getOrDefault(index, other))
                    .toList();
        }

        private Optional<SliceSetup.Profile> filament(PrinterSlot slot) {
            return read(
                            ofVariants,
                            slot.variantId(),
                            id -> variants.find(tx, id)
                                    .flatMap(each ->
                                            first(each.filamentUserProfileId(), each.filamentSystemProfileId(), null)))
                    .or(() -> read(
                            ofMaterials,
                            slot.materialId(),
                            id -> materials
                                    .find(tx, id)
                                    .flatMap(each ->
                                            first(each.filamentUserProfileId(), each.filamentSystemProfileId(), null))))
                    .or(() -> own(store.defaultFilamentProfileId()));
        }
    }

    private SliceSetup.Profile brought(long id) {
        String number = String.valueOf(id);
        return bundles.all()
                .find(id)
                .map(profile -> new SliceSetup.Profile(number, profile.name(), "", Map.of(), profile.slicer()))
                .orElseGet(() -> new SliceSetup.Profile(number, number, "", Map.of(), null));
    }
}
