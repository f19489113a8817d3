/** Where people find their parts and SKUs. */
@NullMarked
package farm.gantry.api.folder;

import org.jspecify.annotations.NullMarked;
