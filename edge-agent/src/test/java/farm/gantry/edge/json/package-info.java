@NullMarked
package farm.gantry.edge.json;

import org.jspecify.annotations.NullMarked;
