/** Metrics, health and their server. */
@NullMarked
package farm.gantry.api.monitoring;

import org.jspecify.annotations.NullMarked;
