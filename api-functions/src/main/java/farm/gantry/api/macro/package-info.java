/** G-code macros. */
@NullMarked
package farm.gantry.api.macro;

import org.jspecify.annotations.NullMarked;
