package farm.gantry.api.webhook;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * Settings of webhooks.
 *
 * @param allowInsecureLocalReceiversForDevelopment allows http and non-public addresses, including this machine's: any
 * key with settings.edit can then make the service send requests to whatever it can reach
 */
@ConfigurationProperties("gantry.webhooks")
record WebhookSettings(@Bindable(defaultValue = "false") boolean allowInsecureLocalReceiversForDevelopment) {}
