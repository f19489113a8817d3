/** What happens in a store, told as it happens. */
@NullMarked
package farm.gantry.api.stream;

import org.jspecify.annotations.NullMarked;
