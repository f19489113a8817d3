/** The files of the web console. */
@NullMarked
package farm.gantry.api.console;

import org.jspecify.annotations.NullMarked;
