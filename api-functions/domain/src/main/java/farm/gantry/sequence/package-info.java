/** Serial numbers. */
@NullMarked
package farm.gantry.sequence;

import org.jspecify.annotations.NullMarked;
