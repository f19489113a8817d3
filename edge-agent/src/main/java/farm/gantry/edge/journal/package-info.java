/** The journal: commands, jobs and events on disk, safe against a crash. */
@NullMarked
package farm.gantry.edge.journal;

import org.jspecify.annotations.NullMarked;
