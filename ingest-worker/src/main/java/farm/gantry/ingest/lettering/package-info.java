/** Meshes of text. */
@NullMarked
package farm.gantry.ingest.lettering;

import org.jspecify.annotations.NullMarked;
