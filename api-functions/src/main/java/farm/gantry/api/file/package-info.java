/** Kept files: signed addresses, uploads, downloads. */
@NullMarked
package farm.gantry.api.file;

import org.jspecify.annotations.NullMarked;
