@NullMarked
package farm.gantry.edge.file;

import org.jspecify.annotations.NullMarked;
