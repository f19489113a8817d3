@NullMarked
package farm.gantry.ingest.gcode;

import org.jspecify.annotations.NullMarked;
