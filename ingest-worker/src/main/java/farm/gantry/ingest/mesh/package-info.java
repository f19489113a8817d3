/** Triangles: what a part looks like and how large it is. */
@NullMarked
package farm.gantry.ingest.mesh;

import org.jspecify.annotations.NullMarked;
