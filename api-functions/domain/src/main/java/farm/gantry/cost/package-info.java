/** Cost rates and the costs of prints, parts and SKUs. */
@NullMarked
package farm.gantry.cost;

import org.jspecify.annotations.NullMarked;
