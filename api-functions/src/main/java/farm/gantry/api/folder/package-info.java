/** Folders of parts and SKUs. */
@NullMarked
package farm.gantry.api.folder;

import org.jspecify.annotations.NullMarked;
