/** Costs of SKUs and orders, and cost reports. */
@NullMarked
package farm.gantry.api.cost;

import org.jspecify.annotations.NullMarked;
