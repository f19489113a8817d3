/** The record of an agent. */
@NullMarked
package farm.gantry.agent;

import org.jspecify.annotations.NullMarked;
