@NullMarked
package farm.gantry.ingest.reading;

import org.jspecify.annotations.NullMarked;
