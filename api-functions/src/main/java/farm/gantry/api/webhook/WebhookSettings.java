package farm.gantry.api.webhook;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * What an install says of its webhooks.
 *
 * @param allowInsecureLocalReceiversForDevelopment admits http and addresses that are not public, such as this machine's
 *     own: any key with settings.edit can then make the service speak to whatever it can reach
 */
@ConfigurationProperties("gantry.webhooks")
record WebhookSettings(@Bindable(defaultValue = "false") boolean allowInsecureLocalReceiversForDevelopment) {}
