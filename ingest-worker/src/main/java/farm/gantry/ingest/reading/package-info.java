/** The results and common parts of the file readers. */
@NullMarked
package farm.gantry.ingest.reading;

import org.jspecify.annotations.NullMarked;
