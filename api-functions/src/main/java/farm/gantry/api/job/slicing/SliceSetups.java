package farm.gantry.api.job.slicing;

import farm.gantry.Sha256;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.profile.SlicingProfiles;
import farm.gantry.builds.PartBuild;
import farm.gantry.job.PrintJob;
import farm.gantry.part.Part;
import farm.gantry.printer.Printer;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The settings that a job's part is sliced with for its printer and for the filaments that it is mapped to. */
@Singleton
public final class SliceSetups {
    private final Table<PartBuild> builds;
    private final Table<Printer> printers;
    private final SlicingProfiles profiles;
    private final ObjectMapper mapper;

    SliceSetups(Tables tables, SlicingProfiles profiles, ObjectMapper mapper) {
        this.builds = tables.of(PartBuild.class);
        this.printers = tables.of(Printer.class);
        this.profiles = profiles;
        this.mapper = mapper;
    }

    /** A part and its slicing settings. */
    public record PartSliceSetup(Part part, SliceSetup setup) {}

    /** Job → what is sliced for it, and with what; of a job without a printer none. */
    public Map<String, PartSliceSetup> findSetups(Tx tx, StoreSettings store, Collection<PrintJob> jobs) {
        Map<String, Printer> assigned = printers.findAll(tx, texts(jobs, PrintJob::assignedPrinterId));
        Map<String, PartBuild> built = builds.findAll(tx, texts(jobs, PrintJob::partBuildId));
        SlicingProfiles.Lookup lookup = profiles.lookup(tx, store, assigned.keySet());
        Map<String, PartSliceSetup> sliced = new HashMap<>();
        for (PrintJob job : jobs) {
            Printer printer = assigned.get(job.assignedPrinterId());
            PartBuild build = built.get(job.partBuildId());
            if (printer != null && build != null) {
                sliced.put(
                        job.id(), new PartSliceSetup(build.partCopy(), createSetup(lookup, store, job, build.partCopy(), printer)));
            }
        }
        return sliced;
    }

    private static Set<String> texts(Collection<PrintJob> jobs, Function<PrintJob, @Nullable String> member) {
        return jobs.stream().map(member).filter(Objects::nonNull).collect(Collectors.toSet());
    }

    /** Returns the digest of all settings, including those inherited by profiles. */
    public String digest(SliceSetup setup) {
        try {
            return Sha256.of(mapper.writeValueAsBytes(setup));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SliceSetup createSetup(
            SlicingProfiles.Lookup lookup, StoreSettings store, PrintJob job, Part part, Printer printer) {
        return new SliceSetup(
                lookup.machine(printer).orElse(null),
                lookup.storeProfile(job.overriddenProcessProfileId()).orElse(null),
                lookup.process(printer).orElse(null),
                filamentProfiles(lookup, job, printer),
                part.use3MFProcessProfile() && part.type() == Part.Type.THREE_MF,
                part.arrangeable(),
                SlicingProfiles.slicer(part, store));
    }

    /**
     * The profile of each filament at its index. An index that the job does not use gets the first that it does: a
     * printer of one nozzle prints whatever filament with the settings at index 0.
     */
    private static List<SliceSetup.Profile> filamentProfiles(SlicingProfiles.Lookup lookup, PrintJob job, Printer printer) {
        TreeMap<Integer, SliceSetup.Profile> loaded = new TreeMap<>();
        Map<String, PrintJob.Slot> mapping = Objects.requireNonNullElse(job.materialMapping(), Map.of());
        mapping.forEach((index, place) -> lookup.slots(printer).stream()
                .filter(slot -> slot.amsIndex() == place.amsIndex() && slot.slotIndex() == place.slotIndex())
                .flatMap(slot -> lookup.filament(slot).stream())
                .findFirst()
                .ifPresent(profile -> loaded.put(Integer.valueOf(index), profile)));
        if (loaded.isEmpty()) {
            return lookup.defaultFilament().stream().toList();
        }
        SliceSetup.Profile other = loaded.firstEntry().getValue();
        return IntStream.rangeClosed(0, loaded.lastKey())
                .mapToObj(index -> loaded.getOrDefault(index, other))
                .toList();
    }
}
