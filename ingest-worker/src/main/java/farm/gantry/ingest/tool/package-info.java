/** External programs and the sandbox that they run in. */
@NullMarked
package farm.gantry.ingest.tool;

import org.jspecify.annotations.NullMarked;
