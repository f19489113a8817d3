/** The agent's commands: run, pair, discover, doctor, and its status page. */
@NullMarked
package farm.gantry.edge.command;

import org.jspecify.annotations.NullMarked;
