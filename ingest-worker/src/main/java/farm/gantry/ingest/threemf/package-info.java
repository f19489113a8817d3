/** 3MF archives: core models, Bambu and Orca projects, and sliced {@code .gcode.3mf}. */
@NullMarked
package farm.gantry.ingest.threemf;

import org.jspecify.annotations.NullMarked;
