package farm.gantry.api.stream;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The MQTT broker to which changes are published.
 *
 * @param url where it is, such as {@code mqtts://broker.example:8883}; {@code mqtt} is without TLS
 * @param user who this install is there, if the broker asks
 */
@ConfigurationProperties("gantry.events.broker")
@Requires(property = "gantry.events.broker.url")
record EventBrokerSettings(
        URI url, @Nullable String user, @Nullable String password) {}
