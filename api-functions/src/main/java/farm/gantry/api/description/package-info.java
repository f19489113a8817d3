/** The OpenAPI description and the reference page. */
@NullMarked
package farm.gantry.api.description;

import org.jspecify.annotations.NullMarked;
