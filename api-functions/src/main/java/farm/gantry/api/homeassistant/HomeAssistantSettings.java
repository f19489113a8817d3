package farm.gantry.api.homeassistant;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * Settings of the devices in Home Assistant.
 *
 * @param apiKey API key that selects the store, and under which commands from Home Assistant run
 * @param discoveryPrefix first level of the topics at which Home Assistant looks for devices
 */
@ConfigurationProperties("gantry.home-assistant")
@Requires(property = "gantry.home-assistant.api-key")
record HomeAssistantSettings(
        String apiKey,
        @Bindable(defaultValue = "homeassistant") String discoveryPrefix) {}
