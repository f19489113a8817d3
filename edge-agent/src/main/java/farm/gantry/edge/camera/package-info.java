/** Pictures of printers: from cameras that show them, and out of films that ffmpeg decodes. */
@NullMarked
package farm.gantry.edge.camera;

import org.jspecify.annotations.NullMarked;
