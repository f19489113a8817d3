/** Sequences of serial numbers. */
@NullMarked
package farm.gantry.sequence;

import org.jspecify.annotations.NullMarked;
