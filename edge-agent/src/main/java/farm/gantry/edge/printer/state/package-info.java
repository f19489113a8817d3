/** The states of a printer's job, and the transitions between them. */
@NullMarked
package farm.gantry.edge.printer.state;

import org.jspecify.annotations.NullMarked;
