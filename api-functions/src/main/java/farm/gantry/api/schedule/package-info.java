/** Which job goes to which printer, and when. */
@NullMarked
package farm.gantry.api.schedule;

import org.jspecify.annotations.NullMarked;
