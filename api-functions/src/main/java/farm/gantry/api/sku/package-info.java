/** SKUs, linked parts, options and SKU builds. */
@NullMarked
package farm.gantry.api.sku;

import org.jspecify.annotations.NullMarked;
