/** SKUs, linked parts, options and the parser of SKU texts. */
@NullMarked
package farm.gantry.sku;

import org.jspecify.annotations.NullMarked;
