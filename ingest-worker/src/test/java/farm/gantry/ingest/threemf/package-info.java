@NullMarked
package farm.gantry.ingest.threemf;

import org.jspecify.annotations.NullMarked;
