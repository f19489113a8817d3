/** The main programs: server, worker, the farm of one machine, its backup and restore. */
@NullMarked
package farm.gantry.api.main;

import org.jspecify.annotations.NullMarked;
