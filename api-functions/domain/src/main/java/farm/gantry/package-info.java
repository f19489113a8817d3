/** Identifiers and permissions, and records whose fields are named by method references. */
@NullMarked
package farm.gantry;

import org.jspecify.annotations.NullMarked;
