/** Commands to printers, queued for their agents. */
@NullMarked
package farm.gantry.api.printer.command;

import org.jspecify.annotations.NullMarked;
