/** Orders, their items and customers. */
@NullMarked
package farm.gantry.order;

import org.jspecify.annotations.NullMarked;
