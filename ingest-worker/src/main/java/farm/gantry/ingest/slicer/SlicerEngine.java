package farm.gantry.ingest.slicer;

import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.tool.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A slicer that runs on the command line. */
interface SlicerEngine {

    Tool tool();

    /** Returns whether it can read the profiles and project settings of another slicer. */
    boolean takesSettingsOf(String slicer);

    /** Returns whether it reads the settings embedded in a project. */
    boolean readsProjects();

    /** Returns the settings of single objects, modifiers and height ranges of a project that the slicer ignores. */
    Set<String> unsupportedSettings(Path project) throws IOException;

    /**
     * How many filaments it can print a plate with: those of the machine, or one where it does not read the file's
     * assignments.
     */
    int maxFilaments(@Nullable Path project, SliceSettings settings) throws IOException;

    /** Slices the plate in an empty folder. Returns the G-code. */
    Path slice(PlateInput input, Path folder) throws IOException;

    /**
     * One plate to slice. {@code project} is the file it comes from where that is a 3MF, in which it is plate
     * {@code plate}; the scene is what stands on it.
     */
    record PlateInput(Scene scene, @Nullable Path project, int plate, SliceSettings settings) {}
}
