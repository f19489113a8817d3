@NullMarked
package farm.gantry.edge.provider.vendora;

import org.jspecify.annotations.NullMarked;
