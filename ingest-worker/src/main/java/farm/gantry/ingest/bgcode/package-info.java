/** Binary G-code. */
@NullMarked
package farm.gantry.ingest.bgcode;

import org.jspecify.annotations.NullMarked;
