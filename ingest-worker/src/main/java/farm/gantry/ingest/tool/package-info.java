/** Programs of others that the worker runs, and the walls around them. */
@NullMarked
package farm.gantry.ingest.tool;

import org.jspecify.annotations.NullMarked;
