package farm.gantry.ingest.slicer;

import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.tool.Tool;
import farm.gantry.ingest.tool.Tools;
import farm.gantry.wire.SliceSetup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Chooses the slicer for each part among those that are installed on this worker. */
public final class Slicers {
    private final Map<String, SlicerEngine> engines = new LinkedHashMap<>();
    private final SliceSettingsResolver resolver;

    public Slicers(Tools tools, SliceSettingsResolver resolver) {
        this.resolver = resolver;
        engines.put("slicer3", new PrusaEngine(tools.prusaSlicer()));
        add("slicer1", tools.orcaSlicer(), true);
        add("slicer2", tools.bambuStudio(), true);
        add("slicer4", tools.superSlicer(), false);
    }

    private void add(String slicer, @Nullable Tool tool, boolean takesProjects) {
        if (tool != null) {
            engines.put(slicer, takesProjects ? new OrcaEngine(tool) : new PrusaEngine(tool));
        }
    }

    /** No suitable slicer is installed on this worker. */
    public static final class NoSlicerException extends IOException {
        NoSlicerException(String slicer) {
            super(slicer + " is not installed on the worker that slices parts");
        }
    }

    /** The slicer and the settings for a part; {@code warnings} say which of its wishes are not met. */
    public record SliceJob(String engine, SliceSettings settings, List<String> warnings) {
        /** Everything that the G-code depends on except the meshes. */
        public String text() {
            return engine + "\n" + settings.text();
        }
    }

    /**
     * The part's requested slicer, else that of its profiles, else the one that wrote its file, else any. {@code project} is
     * the file where that is a 3MF.
     */
    public SliceJob prepare(
            SliceSetup setup, @Nullable String madeWith, Map<String, Object> embedded, @Nullable Path project)
            throws IOException {
        String requested = setup.slicer();
        String slicer = requested == null ? defaultSlicer(resolver.slicers(setup), madeWith) : requested;
        SlicerEngine engine = engines.get(slicer);
        if (engine == null || !engine.tool().isInstalled()) {
            throw new NoSlicerException(SlicerNames.name(slicer));
        }
        boolean understood = madeWith != null && engine.takesSettingsOf(madeWith);
        List<String> warnings = new ArrayList<>();
        if (!understood && !embedded.isEmpty() && SliceSettingsResolver.wantsEmbedded(setup)) {
            warnings.add("The process inside the file is not used, for "
                    + engine.tool().name() + " cannot read it");
        }
        Set<String> unread = project == null ? Set.of() : engine.unsupportedSettings(project);
        if (!unread.isEmpty()) {
            warnings.add("These settings of single objects, modifiers and heights in the file are not used: "
                    + String.join(", ", unread));
        }
        return new SliceJob(
                slicer, resolver.resolve(setup, understood ? embedded : Map.of(), slicer, engine), warnings);
    }

    /** {@code ofProfiles} are the slicers that each of the profiles may be of; the first profile counts most. */
    private String defaultSlicer(List<List<String>> ofProfiles, @Nullable String madeWith) {
        List<List<String>> known =
                ofProfiles.stream().filter(slicers -> !slicers.isEmpty()).toList();
        List<String> wished = Stream.of(
                        known.stream().flatMap(List::stream), Stream.ofNullable(madeWith), engines.keySet().stream())
                .flatMap(Function.identity())
                .distinct()
                .toList();
        return firstThatTakes(known, wished)
                .or(() -> firstThatTakes(known.stream().limit(1).toList(), wished))
                .orElse(known.isEmpty() ? "slicer3" : known.getFirst().getFirst());
    }

    private Optional<String> firstThatTakes(List<List<String>> ofProfiles, List<String> wished) {
        return wished.stream()
                .filter(slicer -> {
                    SlicerEngine engine = engines.get(slicer);
                    return engine != null
                            && engine.tool().isInstalled()
                            && ofProfiles.stream()
                                    .allMatch(slicers -> slicers.stream().anyMatch(engine::takesSettingsOf));
                })
                .findFirst();
    }

    /**
     * Refuses a print that would come out otherwise than it looks: without a filament profile it would be printed with the slicer's
     * default temperatures on a cold bed, and with too few filaments in one colour. {@code filaments} are those of the plate;
     * {@code acceptsOneFilament} is whether somebody chose the same material for all of them.
     */
    public void requirePrintable(
            SliceJob job, @Nullable Path project, Collection<Integer> filaments, boolean acceptsOneFilament)
            throws IOException {
        SlicerEngine engine = engine(job);
        boolean isOwnProject = project != null && engine.readsProjects();
        if (!isOwnProject && !job.settings().haveTemperature()) {
            throw new BadFileException(
                    "No filament profile says at which temperatures to print: give one to the material that is"
                            + " loaded in the printer, or set the store's defaultFilamentProfileId");
        }
        int available = engine.maxFilaments(project, job.settings());
        if (filaments.size() > available && !acceptsOneFilament) {
            throw new BadFileException("The plate prints with " + filaments.size() + " filaments, and "
                    + engine.tool().name() + " slices it for this printer with " + available
                    + ": assign the same material to all of them to print it in one colour, or use G-code that was sliced for"
                    + " the printer");
        }
    }

    private SlicerEngine engine(SliceJob job) throws NoSlicerException {
        SlicerEngine engine = engines.get(job.engine());
        if (engine == null) {
            throw new NoSlicerException(job.engine());
        }
        return engine;
    }

    /** The G-code of one plate. */
    public Path slice(SliceJob job, Scene scene, @Nullable Path project, int plate, Path folder) throws IOException {
        if (scene.bounds().isEmpty()) {
            throw new BadFileException("There is nothing to print on plate " + plate);
        }
        return engine(job).slice(new SlicerEngine.PlateInput(scene, project, plate, job.settings()), folder);
    }
}
