/** Slicers: what each is to be told, and how it is run. */
@NullMarked
package farm.gantry.ingest.slicer;

import org.jspecify.annotations.NullMarked;
