/** What the slicers of this machine know of printers: the profiles and models of their vendors' bundles. */
@NullMarked
package farm.gantry.ingest.bundle;

import org.jspecify.annotations.NullMarked;
