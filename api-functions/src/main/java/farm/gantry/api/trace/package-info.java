/** Traces of prints for OpenTelemetry. */
@NullMarked
package farm.gantry.api.trace;

import org.jspecify.annotations.NullMarked;
