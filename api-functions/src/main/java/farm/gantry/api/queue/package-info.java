/** Queues, outbox and the background loops that empty them. */
@NullMarked
package farm.gantry.api.queue;

import org.jspecify.annotations.NullMarked;
