/** Dashboards, as their users arranged them. */
@NullMarked
package farm.gantry.api.layout;

import org.jspecify.annotations.NullMarked;
