/** What leaves: queue messages and webhooks, through an outbox. */
@NullMarked
package farm.gantry.api.deliver;

import org.jspecify.annotations.NullMarked;
