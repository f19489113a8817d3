/** Where people find their parts and SKUs. */
@NullMarked
package farm.gantry.folder;

import org.jspecify.annotations.NullMarked;
