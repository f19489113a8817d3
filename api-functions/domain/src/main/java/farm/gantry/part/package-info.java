/** Model files the farm can print, and what was found in them. */
@NullMarked
package farm.gantry.part;

import org.jspecify.annotations.NullMarked;
