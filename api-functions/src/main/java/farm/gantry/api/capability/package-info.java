/** What printers can do, and how it is asked of them. */
@NullMarked
package farm.gantry.api.capability;

import org.jspecify.annotations.NullMarked;
