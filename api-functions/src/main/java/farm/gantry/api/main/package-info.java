/** The main programs: server, worker, and the farm of one machine. */
@NullMarked
package farm.gantry.api.main;

import org.jspecify.annotations.NullMarked;
