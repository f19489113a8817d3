/** The record of a folder of parts or SKUs. */
@NullMarked
package farm.gantry.folder;

import org.jspecify.annotations.NullMarked;
