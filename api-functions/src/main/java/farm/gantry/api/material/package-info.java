/** Materials, variants, spools, groups and their use. */
@NullMarked
package farm.gantry.api.material;

import org.jspecify.annotations.NullMarked;
