/** Notification settings, notification channels and webhook events. */
@NullMarked
package farm.gantry.notification;

import org.jspecify.annotations.NullMarked;
