package farm.gantry.ingest.slicer;

import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.tool.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A slicer that can be run without a screen. */
interface SlicerEngine {

    Tool tool();

    /** Whether it understands the settings of that slicer: its profiles, and those embedded in its files. */
    boolean takesSettingsOf(String slicer);

    /** Whether it reads a project's own settings itself, unless it is given others. */
    boolean readsProjects();

    /** The names of the settings that a project has for single objects, modifiers and heights and that it does not read. */
    Set<String> unread(Path project) throws IOException;

    /** How many filaments it can print a plate with: those of the machine, or one where it does not read the file's assignments. */
    int maxFilaments(@Nullable Path project, SliceSettings settings) throws IOException;

    /** The G-code, made in an empty folder of its own. */
    Path slice(PlateInput input, Path folder) throws IOException;

    /**
     * One plate to slice. {@code project} is the file it comes from where that is a 3MF, in which it is plate
     * {@code plate}; the scene is what stands on it.
     */
    record PlateInput(Scene scene, @Nullable Path project, int plate, SliceSettings settings) {}
}
