@NullMarked
package farm.gantry.edge.camera;

import org.jspecify.annotations.NullMarked;
