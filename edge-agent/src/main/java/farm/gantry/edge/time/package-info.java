/** What time it is, and how much of it passes, however the machine's clock is set. */
@NullMarked
package farm.gantry.edge.time;

import org.jspecify.annotations.NullMarked;
