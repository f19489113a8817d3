/** Print files, kept by what is in them. */
@NullMarked
package farm.gantry.edge.file;

import org.jspecify.annotations.NullMarked;
