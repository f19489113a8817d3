/** Stored files: uploads, signed addresses, cleanup. */
@NullMarked
package farm.gantry.api.file;

import org.jspecify.annotations.NullMarked;
