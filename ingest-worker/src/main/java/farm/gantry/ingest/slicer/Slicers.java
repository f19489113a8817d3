package farm.gantry.ingest.slicer;

import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.tool.Tool;
import farm.gantry.ingest.tool.Tools;
import farm.gantry.wire.SliceSetup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The slicers of this worker, and which of them slices what. */
public final class Slicers {
    private static final Map<String, String> NAMES = Map.of(
            "slicer1", "OrcaSlicer", "slicer2", "Bambu Studio", "slicer3", "PrusaSlicer", "slicer4", "SuperSlicer");

    private final Map<String, Engine> engines = new LinkedHashMap<>();
    private final Recipes recipes;

    public Slicers(Tools tools, Recipes recipes) {
        this.recipes = recipes;
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

    /** There is no slicer to do it; another worker, or another day, may have one. */
    public static final class NoSlicerException extends IOException {
        NoSlicerException(String slicer) {
            super(slicer + " is not installed where parts are sliced");
        }
    }

    /** What is about to be sliced: who does it, and with what. */
    public record Order(String engine, Recipe recipe) {
        /** All that the G-code depends on beside the shapes. */
        public String text() {
            return engine + "\n" + recipe.text();
        }
    }

    /** A part's own wish comes first, then the slicer that its file was made with, then any. */
    public Order order(SliceSetup setup, @Nullable String madeWith, Map<String, Object> embedded)
            throws NoSlicerException, BadFileException {
        String wished = setup.slicer();
        String slicer = wished == null ? usual(madeWith) : wished;
        Engine engine = engines.get(slicer);
        if (engine == null || !engine.tool().isInstalled()) {
            throw new NoSlicerException(NAMES.getOrDefault(slicer, slicer));
        }
        boolean understood = madeWith != null && engine.takesSettingsOf(madeWith);
        return new Order(slicer, recipes.recipe(setup, understood ? embedded : Map.of()));
    }

    private String usual(@Nullable String madeWith) {
        Engine own = madeWith == null ? null : engines.get(madeWith);
        if (madeWith != null && own != null && own.tool().isInstalled()) {
            return madeWith;
        }
        return engines.entrySet().stream()
                .filter(engine -> engine.getValue().tool().isInstalled())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("slicer3");
    }

    /** The G-code of one plate. */
    public Path slice(Order order, Scene scene, @Nullable Path project, int plate, Path folder) throws IOException {
        if (scene.bounds().isEmpty()) {
            throw new BadFileException("There is nothing to print on plate " + plate);
        }
        Engine engine = engines.get(order.engine());
        if (engine == null) {
            throw new NoSlicerException(order.engine());
        }
        return engine.slice(new Engine.Work(scene, project, plate, order.recipe()), folder);
    }
}
