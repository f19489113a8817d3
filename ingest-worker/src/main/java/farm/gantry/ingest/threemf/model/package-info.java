/** The model entries of a 3MF file: objects, meshes and the rules of the format. */
@NullMarked
package farm.gantry.ingest.threemf.model;

import org.jspecify.annotations.NullMarked;
