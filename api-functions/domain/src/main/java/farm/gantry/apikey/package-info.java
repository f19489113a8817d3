/** API keys: their record, their text form and their limits. */
@NullMarked
package farm.gantry.apikey;

import org.jspecify.annotations.NullMarked;
