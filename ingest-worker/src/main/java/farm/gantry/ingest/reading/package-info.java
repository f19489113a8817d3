/** What readers of files return and share. */
@NullMarked
package farm.gantry.ingest.reading;

import org.jspecify.annotations.NullMarked;
