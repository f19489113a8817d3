/** What holds for a store as a whole. */
@NullMarked
package farm.gantry.api.settings;

import org.jspecify.annotations.NullMarked;
