/** Dashboards, as their users arranged them. */
@NullMarked
package farm.gantry.layout;

import org.jspecify.annotations.NullMarked;
