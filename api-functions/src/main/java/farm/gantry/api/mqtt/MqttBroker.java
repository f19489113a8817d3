package farm.gantry.api.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientTransportConfig;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectBuilder;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectRestrictions;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import farm.gantry.Id;
import farm.gantry.wire.BrokerAddress;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection to an MQTT 5 broker that reconnects whenever it is lost, until it is closed. */
public final class MqttBroker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MqttBroker.class);

    private final @Nullable String user;
    private final @Nullable String password;
    private final Client self;
    private final Mqtt5AsyncClient client;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * What a connection tells the broker about itself.
     *
     * @param identifier client identifier; a new connection with it ends an older one
     * @param will message that the broker publishes if the connection is lost
     * @param maxPacketBytes size of the largest message that the broker may send
     */
    public record Client(String identifier, @Nullable Mqtt5Publish will, int maxPacketBytes) {
        private static Client anonymous() {
            return new Client("gantry-" + Id.random(16), null, Mqtt5ConnectRestrictions.DEFAULT_MAXIMUM_PACKET_SIZE);
        }
    }

    /** {@code onConnected} runs each time the connection is made. */
    public MqttBroker(BrokerAddress address, @Nullable String user, @Nullable String password, Runnable onConnected) {
        this(address, user, password, Client.anonymous(), onConnected);
    }

    /** {@code onConnected} runs each time the connection is made. */
    public MqttBroker(
            BrokerAddress address,
            @Nullable String user,
            @Nullable String password,
            Client self,
            Runnable onConnected) {
        this.user = user;
        this.password = password;
        this.self = self;
        Mqtt5ClientBuilder builder = MqttClient.builder()
                .useMqttVersion5()
                .identifier(self.identifier())
                .willPublish(self.will())
                .transportConfig(MqttClientTransportConfig.builder()
                        .serverHost(address.host())
                        .serverPort(address.port())
                        .build())
                .automaticReconnectWithDefaultConfig()
                .addConnectedListener(_ -> onConnected.run())
                .addDisconnectedListener(lost -> {
                    if (!closed.get()) {
                        LOG.warn(
                                "the MQTT broker {} is unreachable, retrying: {}",
                                address,
                                lost.getCause().getMessage());
                    }
                });
        this.client = (address.isSecure() ? builder.sslWithDefaultConfig() : builder).buildAsync();
    }

    public Mqtt5AsyncClient client() {
        return client;
    }

    /** Connects, in the background. */
    public void start() {
        Mqtt5ConnectBuilder connect = Mqtt5Connect.builder()
                .restrictions()
                .maximumPacketSize(self.maxPacketBytes())
                .applyRestrictions();
        if (user != null) {
            connect.simpleAuth()
                    .username(user)
                    .password(Objects.requireNonNullElse(password, "").getBytes(UTF_8))
                    .applySimpleAuth();
        }
        var _ = client.connect(connect.build());
    }

    /** Closes the connection, failing everything that waits for a response on it, and reconnects. */
    public void restart() {
        var _ = client.disconnect().whenComplete((_, _) -> {
            if (!closed.get()) {
                start();
            }
        });
    }

    @Override
    public void close() {
        closed.set(true);
        var _ = client.disconnect();
    }
}
