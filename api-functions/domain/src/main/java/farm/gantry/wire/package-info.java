/** Messages between API, worker and agent. */
@NullMarked
package farm.gantry.wire;

import org.jspecify.annotations.NullMarked;
