/** The ways to run it: the only place that knows which it is. */
@NullMarked
package farm.gantry.api.main;

import org.jspecify.annotations.NullMarked;
