/** The API's own description, and a page to read and try it. */
@NullMarked
package farm.gantry.api.description;

import org.jspecify.annotations.NullMarked;
