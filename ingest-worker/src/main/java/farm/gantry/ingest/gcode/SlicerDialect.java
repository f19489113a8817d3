package farm.gantry.ingest.gcode;

import farm.gantry.ingest.reading.GcodeMetadata;
import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
import org.jspecify.annotations.Nullable;

/** The comments of one slicer, or a family of them, in its G-code. */
interface SlicerDialect {

    /** The slicer, if the first comments have its signature. */
    @Nullable
    Slicer identify(GcodeComments comments);

    GcodeMetadata read(Slicer slicer, GcodeComments comments, SlicerSettings settings);
}
