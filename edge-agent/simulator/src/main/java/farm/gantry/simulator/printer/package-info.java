/** The machine behind each simulator: print, heaters, filament, files. */
@NullMarked
package farm.gantry.simulator.printer;

import org.jspecify.annotations.NullMarked;
