@NullMarked
package farm.gantry.ingest.slicer;

import org.jspecify.annotations.NullMarked;
