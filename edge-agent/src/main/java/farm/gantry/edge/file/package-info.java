/** The cache of print files and work on large files. */
@NullMarked
package farm.gantry.edge.file;

import org.jspecify.annotations.NullMarked;
