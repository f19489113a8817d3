/** The settings of a store (a tenant). */
@NullMarked
package farm.gantry.store;

import org.jspecify.annotations.NullMarked;
