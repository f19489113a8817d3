/** The machines of the farm and their live state. */
@NullMarked
package farm.gantry.printer;

import org.jspecify.annotations.NullMarked;
