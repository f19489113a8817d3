/** Backup and restore of a farm of one machine. */
@NullMarked
package farm.gantry.api.main.backup;

import org.jspecify.annotations.NullMarked;
