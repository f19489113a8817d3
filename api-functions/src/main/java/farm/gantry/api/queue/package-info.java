/** Messages that leave with the transaction that caused them, and the one-machine queue that carries them. */
@NullMarked
package farm.gantry.api.queue;

import org.jspecify.annotations.NullMarked;
