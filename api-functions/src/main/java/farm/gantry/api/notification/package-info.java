/** Messages about events, and the requests that send them to ntfy, Discord, Slack, Telegram, Gotify, Pushover and mail servers. */
@NullMarked
package farm.gantry.api.notification;

import org.jspecify.annotations.NullMarked;
