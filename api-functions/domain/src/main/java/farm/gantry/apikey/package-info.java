/** The keys a caller shows. */
@NullMarked
package farm.gantry.apikey;

import org.jspecify.annotations.NullMarked;
