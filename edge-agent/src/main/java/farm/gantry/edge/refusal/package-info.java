/** Reasons to refuse a command. */
@NullMarked
package farm.gantry.edge.refusal;

import org.jspecify.annotations.NullMarked;
