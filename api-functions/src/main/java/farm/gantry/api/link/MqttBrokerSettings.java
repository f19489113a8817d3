package farm.gantry.api.link;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The MQTT broker over which agents may come instead of HTTPS.
 *
 * @param url where it is, such as {@code mqtts://broker.example:8883}; {@code mqtt} is without TLS
 * @param user who this install is there, if the broker asks
 */
@ConfigurationProperties("gantry.link.broker")
@Requires(property = "gantry.link.broker.url")
record MqttBrokerSettings(
        URI url, @Nullable String user, @Nullable String password) {}
