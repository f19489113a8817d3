/** What the farm prints with. */
@NullMarked
package farm.gantry.material;

import org.jspecify.annotations.NullMarked;
