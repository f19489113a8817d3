/** What the agent must still know after a power cut. */
@NullMarked
package farm.gantry.edge.journal;

import org.jspecify.annotations.NullMarked;
