package farm.gantry.api.stream;

import farm.gantry.wire.BrokerAddress;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The MQTT broker to which events are published.
 *
 * @param url address, such as {@code mqtts://broker.example:8883}; {@code mqtt} means without TLS
 * @param user user name of this installation, if the broker requires one
 */
@ConfigurationProperties("gantry.events.broker")
@Requires(property = "gantry.events.broker.url")
public record EventBrokerSettings(
        URI url, @Nullable String user, @Nullable String password) {

    /** Returns the address of the broker; throws if it is not the address of one. */
    public BrokerAddress address() {
        return BrokerAddress.parse("gantry.events.broker.url", url.getScheme(), url.getHost(), url.getPort());
    }
}
