package farm.gantry.api.link;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The MQTT broker over which agents may connect instead of HTTPS.
 *
 * @param url address, such as {@code mqtts://broker.example:8883}; {@code mqtt} means without TLS
 * @param user user name of this installation, if the broker requires one
 */
@ConfigurationProperties("gantry.agents.broker")
@Requires(property = "gantry.agents.broker.url")
record MqttBrokerSettings(
        URI url, @Nullable String user, @Nullable String password) {}
