/** Validation of formatted text such as time zones and printer hosts. */
@NullMarked
package farm.gantry.api.format;

import org.jspecify.annotations.NullMarked;
