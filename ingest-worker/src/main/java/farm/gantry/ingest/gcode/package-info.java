/** G-code: one dialect a slicer, read from the two ends of the file. */
@NullMarked
package farm.gantry.ingest.gcode;

import org.jspecify.annotations.NullMarked;
