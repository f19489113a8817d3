/** The embedded PostgreSQL. */
@NullMarked
package farm.gantry.api.main.postgres;

import org.jspecify.annotations.NullMarked;
