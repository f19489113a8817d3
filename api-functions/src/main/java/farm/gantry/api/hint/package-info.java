/** What a client may do next, out of the API's description. */
@NullMarked
package farm.gantry.api.hint;

import org.jspecify.annotations.NullMarked;
