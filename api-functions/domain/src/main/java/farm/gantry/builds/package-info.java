/** Builds: what a request queues, planned into jobs. */
@NullMarked
package farm.gantry.builds;

import org.jspecify.annotations.NullMarked;
