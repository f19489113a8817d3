/** The worker: takes one part file through its five stages and says what it found. */
@NullMarked
package farm.gantry.ingest;

import org.jspecify.annotations.NullMarked;
