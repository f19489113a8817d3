/** Simulates Anycubic printers in LAN mode. */
@NullMarked
package farm.gantry.simulator.anycubic;

import org.jspecify.annotations.NullMarked;
