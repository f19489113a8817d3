/** Meshes, scenes and STL. */
@NullMarked
package farm.gantry.ingest.mesh;

import org.jspecify.annotations.NullMarked;
