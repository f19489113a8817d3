/** What the farm sells, the parts it is made of, and what it costs. */
@NullMarked
package farm.gantry.sku;

import org.jspecify.annotations.NullMarked;
