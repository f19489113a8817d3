package farm.gantry.ingest.gcode;

import farm.gantry.ingest.reading.GcodeFacts;
import farm.gantry.ingest.reading.GcodeFacts.Slicer;
import org.jspecify.annotations.Nullable;

/** How one slicer, or a family of them, writes into its G-code what it knows of the print. */
interface Dialect {

    /** The slicer, where the opening comments bear its sign. */
    @Nullable
    Slicer sign(Comments comments);

    GcodeFacts read(Slicer slicer, Comments comments, Settings settings);
}
