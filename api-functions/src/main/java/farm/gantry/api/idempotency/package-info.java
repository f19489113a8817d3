/** The Idempotency-Key header. */
@NullMarked
package farm.gantry.api.idempotency;

import org.jspecify.annotations.NullMarked;
