/** Camera snapshots of printers. */
@NullMarked
package farm.gantry.api.camera;

import org.jspecify.annotations.NullMarked;
