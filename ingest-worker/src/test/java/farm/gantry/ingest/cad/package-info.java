@NullMarked
package farm.gantry.ingest.cad;

import org.jspecify.annotations.NullMarked;
