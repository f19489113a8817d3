/** Scheduled backups of the one-machine server. */
@NullMarked
package farm.gantry.api.main.backup;

import org.jspecify.annotations.NullMarked;
