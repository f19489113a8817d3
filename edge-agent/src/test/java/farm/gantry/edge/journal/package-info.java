@NullMarked
package farm.gantry.edge.journal;

import org.jspecify.annotations.NullMarked;
