/** Backoff and pacing of retries. */
@NullMarked
package farm.gantry.edge.retry;

import org.jspecify.annotations.NullMarked;
