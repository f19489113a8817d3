@NullMarked
package farm.gantry.edge.command;

import org.jspecify.annotations.NullMarked;
