@NullMarked
package farm.gantry.ingest.tool;

import org.jspecify.annotations.NullMarked;
