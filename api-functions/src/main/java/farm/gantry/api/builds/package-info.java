/** Queueing parts, SKUs and order items as builds of jobs; previews and what-if. */
@NullMarked
package farm.gantry.api.builds;

import org.jspecify.annotations.NullMarked;
