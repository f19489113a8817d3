/** Draws parts as they will look, without a screen. */
@NullMarked
package farm.gantry.ingest.drawing;

import org.jspecify.annotations.NullMarked;
