/** Stores (tenants) and their settings. */
@NullMarked
package farm.gantry.api.store;

import org.jspecify.annotations.NullMarked;
