@NullMarked
package farm.gantry.edge.link;

import org.jspecify.annotations.NullMarked;
