package farm.gantry.api.webhook;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.util.List;

/**
 * Settings of webhooks.
 *
 * @param allowInsecureLocalReceiversForDevelopment allows http and non-public addresses, including this machine's: any
 * key with settings.edit can then make the service send requests to whatever it can reach
 * @param localReceivers the origins of servers in the local network that may receive deliveries, such as {@code
 * http://192.168.1.20:8080} or {@code smtp://192.168.1.20:25}
 */
@ConfigurationProperties("gantry.webhooks")
record WebhookSettings(
        @Bindable(defaultValue = "false") boolean allowInsecureLocalReceiversForDevelopment,
        @Bindable(defaultValue = "") List<String> localReceivers) {}
