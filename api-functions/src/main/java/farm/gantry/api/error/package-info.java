/** Problems and their error bodies. */
@NullMarked
package farm.gantry.api.error;

import org.jspecify.annotations.NullMarked;
