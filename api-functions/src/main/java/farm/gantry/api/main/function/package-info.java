/** AWS Lambda handlers. */
@NullMarked
package farm.gantry.api.main.function;

import org.jspecify.annotations.NullMarked;
