/** Webhooks and notification channels: settings, deliveries, retries, signatures and the check of receivers' addresses. */
@NullMarked
package farm.gantry.api.webhook;

import org.jspecify.annotations.NullMarked;
