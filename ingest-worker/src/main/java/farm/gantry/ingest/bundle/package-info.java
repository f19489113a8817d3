/** The profiles that installed slicers bring along. */
@NullMarked
package farm.gantry.ingest.bundle;

import org.jspecify.annotations.NullMarked;
