/** The makes of printer the agent can serve. */
@NullMarked
package farm.gantry.edge.provider;

import org.jspecify.annotations.NullMarked;
