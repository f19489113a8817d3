package farm.gantry.api.homeassistant;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the devices in Home Assistant.
 *
 * @param apiKey API key that selects the store, and under which commands from Home Assistant run
 * @param discoveryPrefix first level of the topics at which Home Assistant looks for devices
 * @param cameraInterval time between two camera images of a printer that prints, at least 10 s; unset for no images. Cameras send images
 *     for 40 s after each request, so that a short interval uses much of the farm's uplink
 */
@ConfigurationProperties("gantry.home-assistant")
@Requires(property = "gantry.home-assistant.api-key")
record HomeAssistantSettings(
        String apiKey,
        @Bindable(defaultValue = "homeassistant") String discoveryPrefix,
        @Nullable Duration cameraInterval) {
    private static final Duration MIN_CAMERA_INTERVAL = Duration.ofSeconds(10);

    HomeAssistantSettings {
        if (cameraInterval != null && cameraInterval.compareTo(MIN_CAMERA_INTERVAL) < 0) {
            throw new IllegalArgumentException("gantry.home-assistant.camera-interval must be at least 10 s");
        }
    }
}
