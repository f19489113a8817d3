/** The scheduler: rounds, candidates, throttles, assignment and starts. */
@NullMarked
package farm.gantry.api.schedule;

import org.jspecify.annotations.NullMarked;
