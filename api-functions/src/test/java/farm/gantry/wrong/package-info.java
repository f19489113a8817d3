/** What the domain must not be. */
@NullMarked
package farm.gantry.wrong;

import org.jspecify.annotations.NullMarked;
