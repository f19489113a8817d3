/** Models without triangles of their own: solids, and programs that make them. */
@NullMarked
package farm.gantry.ingest.cad;

import org.jspecify.annotations.NullMarked;
