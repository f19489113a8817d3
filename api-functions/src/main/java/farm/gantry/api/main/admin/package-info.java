/** Commands for operators. */
@NullMarked
package farm.gantry.api.main.admin;

import org.jspecify.annotations.NullMarked;
