/** What can be read out of a part file, whatever its kind. */
@NullMarked
package farm.gantry.ingest.reading;

import org.jspecify.annotations.NullMarked;
