/** Addresses of stored files. */
@NullMarked
package farm.gantry.file;

import org.jspecify.annotations.NullMarked;
