/** Hints: suggested follow-up calls and JSON schemas of the description. */
@NullMarked
package farm.gantry.api.hint;

import org.jspecify.annotations.NullMarked;
