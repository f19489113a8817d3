@NullMarked
package farm.gantry.edge.trust;

import org.jspecify.annotations.NullMarked;
