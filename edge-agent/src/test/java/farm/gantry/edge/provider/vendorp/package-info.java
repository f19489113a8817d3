@NullMarked
package farm.gantry.edge.provider.vendorp;

import org.jspecify.annotations.NullMarked;
