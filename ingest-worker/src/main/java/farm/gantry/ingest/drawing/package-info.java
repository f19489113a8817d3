/** Pictures of models and toolpaths. */
@NullMarked
package farm.gantry.ingest.drawing;

import org.jspecify.annotations.NullMarked;
