@NullMarked
package farm.gantry.ingest.function;

import org.jspecify.annotations.NullMarked;
