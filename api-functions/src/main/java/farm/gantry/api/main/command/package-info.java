/** The command line of an installed server, and its properties file. */
@NullMarked
package farm.gantry.api.main.command;

import org.jspecify.annotations.NullMarked;
