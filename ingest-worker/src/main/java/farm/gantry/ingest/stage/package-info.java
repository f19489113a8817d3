/** The stages of an ingest run, and slicing for jobs. */
@NullMarked
package farm.gantry.ingest.stage;

import org.jspecify.annotations.NullMarked;
