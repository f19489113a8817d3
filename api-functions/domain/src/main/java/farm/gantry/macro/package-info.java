/** G-code a printer runs between prints. */
@NullMarked
package farm.gantry.macro;

import org.jspecify.annotations.NullMarked;
