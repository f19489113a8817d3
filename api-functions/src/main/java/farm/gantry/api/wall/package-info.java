/** The wall display. */
@NullMarked
package farm.gantry.api.wall;

import org.jspecify.annotations.NullMarked;
