/** Keys: checking them, and the routes that keep them. */
@NullMarked
package farm.gantry.api.apikey;

import org.jspecify.annotations.NullMarked;
