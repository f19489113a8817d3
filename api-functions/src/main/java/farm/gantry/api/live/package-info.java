/** Live printer state, which changes faster than records should. */
@NullMarked
package farm.gantry.api.live;

import org.jspecify.annotations.NullMarked;
