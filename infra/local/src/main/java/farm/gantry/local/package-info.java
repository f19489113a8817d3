/** The whole farm on one machine: one command starts it and shows a print from end to end. */
@NullMarked
package farm.gantry.local;

import org.jspecify.annotations.NullMarked;
