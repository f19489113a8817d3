/** The worker: takes requests from a queue and reports. */
@NullMarked
package farm.gantry.ingest.worker;

import org.jspecify.annotations.NullMarked;
