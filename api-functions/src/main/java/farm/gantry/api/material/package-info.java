/** What the farm prints with. */
@NullMarked
package farm.gantry.api.material;

import org.jspecify.annotations.NullMarked;
