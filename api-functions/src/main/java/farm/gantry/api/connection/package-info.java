/** Limits on client connections. */
@NullMarked
package farm.gantry.api.connection;

import org.jspecify.annotations.NullMarked;
