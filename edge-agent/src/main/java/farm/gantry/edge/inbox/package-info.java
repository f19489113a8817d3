/** A bounded inbox of messages for one printer. */
@NullMarked
package farm.gantry.edge.inbox;

import org.jspecify.annotations.NullMarked;
