/** The caller of a request and its permissions. */
@NullMarked
package farm.gantry.api.security;

import org.jspecify.annotations.NullMarked;
