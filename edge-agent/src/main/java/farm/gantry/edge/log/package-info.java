/** What the agent writes down about itself, and what it must not. */
@NullMarked
package farm.gantry.edge.log;

import org.jspecify.annotations.NullMarked;
