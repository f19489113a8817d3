@NullMarked
package farm.gantry.edge.printer;

import org.jspecify.annotations.NullMarked;
