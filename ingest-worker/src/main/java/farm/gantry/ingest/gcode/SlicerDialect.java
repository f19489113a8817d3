package farm.gantry.ingest.gcode;

import farm.gantry.ingest.reading.GcodeMetadata;
import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
import org.jspecify.annotations.Nullable;

/** Reads the metadata that a slicer, or a family of slicers, writes in the comments of its G-code. */
interface SlicerDialect {

    /** Returns the slicer, or null if the first comments do not have its signature. */
    @Nullable
    Slicer identify(GcodeComments comments);

    GcodeMetadata read(Slicer slicer, GcodeComments comments, SlicerSettings settings);
}
