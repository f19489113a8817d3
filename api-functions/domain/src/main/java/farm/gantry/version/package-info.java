/** The version of Gantry, and which versions of server and agent work together. */
@NullMarked
package farm.gantry.version;

import org.jspecify.annotations.NullMarked;
