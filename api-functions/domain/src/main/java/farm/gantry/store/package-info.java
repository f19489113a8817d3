/** What holds for a store as a whole. */
@NullMarked
package farm.gantry.store;

import org.jspecify.annotations.NullMarked;
