/** Checks of an installed server. */
@NullMarked
package farm.gantry.api.main.doctor;

import org.jspecify.annotations.NullMarked;
