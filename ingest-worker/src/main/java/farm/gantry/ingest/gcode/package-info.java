/** G-code: metadata by slicer, and the toolpath. */
@NullMarked
package farm.gantry.ingest.gcode;

import org.jspecify.annotations.NullMarked;
