/** Sequences of serial numbers. */
@NullMarked
package farm.gantry.api.sequence;

import org.jspecify.annotations.NullMarked;
