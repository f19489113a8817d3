/** Materials, variants, spools and groups of materials. */
@NullMarked
package farm.gantry.material;

import org.jspecify.annotations.NullMarked;
