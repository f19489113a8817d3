/** Somebody who knows the farm by its API's description only. */
@NullMarked
package farm.gantry.customer;

import org.jspecify.annotations.NullMarked;
