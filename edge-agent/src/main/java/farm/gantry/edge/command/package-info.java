/** What a person at the agent's machine can ask of it. */
@NullMarked
package farm.gantry.edge.command;

import org.jspecify.annotations.NullMarked;
