/** Camera images and video of simulated printers. */
@NullMarked
package farm.gantry.simulator.camera;

import org.jspecify.annotations.NullMarked;
