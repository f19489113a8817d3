/** How the API's description is made of the code, and compared with the one that is kept. */
@NullMarked
package farm.gantry.api.description;

import org.jspecify.annotations.NullMarked;
