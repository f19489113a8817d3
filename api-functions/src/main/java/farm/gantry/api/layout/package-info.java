/** Dashboard layouts. */
@NullMarked
package farm.gantry.api.layout;

import org.jspecify.annotations.NullMarked;
