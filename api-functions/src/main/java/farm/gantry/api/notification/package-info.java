/** Messages about events, and the requests that send them to ntfy, Discord, Slack, Telegram, Gotify and Pushover. */
@NullMarked
package farm.gantry.api.notification;

import org.jspecify.annotations.NullMarked;
