/** Meshes of OpenSCAD, CadQuery and build123d models. */
@NullMarked
package farm.gantry.ingest.cad;

import org.jspecify.annotations.NullMarked;
