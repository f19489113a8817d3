@NullMarked
package farm.gantry.edge.time;

import org.jspecify.annotations.NullMarked;
