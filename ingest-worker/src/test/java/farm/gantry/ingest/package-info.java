@NullMarked
package farm.gantry.ingest;

import org.jspecify.annotations.NullMarked;
