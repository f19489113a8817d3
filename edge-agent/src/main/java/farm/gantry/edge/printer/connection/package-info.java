/** The contract of a provider: a connection to one printer, the status that it reports, and the arguments of commands. */
@NullMarked
package farm.gantry.edge.printer.connection;

import org.jspecify.annotations.NullMarked;
