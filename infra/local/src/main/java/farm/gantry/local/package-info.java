/** Runs the whole farm on one machine, the demo and the chaos test. */
@NullMarked
package farm.gantry.local;

import org.jspecify.annotations.NullMarked;
