@NullMarked
package farm.gantry.edge.log;

import org.jspecify.annotations.NullMarked;
