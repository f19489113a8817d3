/** One half of a cycle. */
@NullMarked
package farm.gantry.api.wrong.one;

import org.jspecify.annotations.NullMarked;
