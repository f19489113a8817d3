/** The other half of a cycle. */
@NullMarked
package farm.gantry.api.wrong.two;

import org.jspecify.annotations.NullMarked;
