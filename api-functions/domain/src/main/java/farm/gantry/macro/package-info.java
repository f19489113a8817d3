/** The record of a G-code macro. */
@NullMarked
package farm.gantry.macro;

import org.jspecify.annotations.NullMarked;
