/** What the farm sells: SKUs, their parts, and what they cost. */
@NullMarked
package farm.gantry.api.sku;

import org.jspecify.annotations.NullMarked;
