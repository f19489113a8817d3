/** API keys and console sessions: routes, authentication and SQL. */
@NullMarked
package farm.gantry.api.apikey;

import org.jspecify.annotations.NullMarked;
