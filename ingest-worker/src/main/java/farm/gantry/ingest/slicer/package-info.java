/** Slicers, and the settings that they are given. */
@NullMarked
package farm.gantry.ingest.slicer;

import org.jspecify.annotations.NullMarked;
