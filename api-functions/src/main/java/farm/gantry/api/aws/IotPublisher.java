package farm.gantry.api.aws;

import farm.gantry.api.json.JsonCodec;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.iotdataplane.IotDataPlaneClient;

/** Publishes MQTT 5 messages through AWS IoT Core, because a function keeps no connections. */
@Singleton
@Requires(property = "gantry.aws.iot", value = "true")
public final class IotPublisher {
    /** Maximum message size of IoT Core. */
    public static final int MAX_BYTES = 128 << 10;

    private static final int AT_LEAST_ONCE = 1;

    private final IotDataPlaneClient iot;
    private final JsonCodec json;

    IotPublisher(IotDataPlaneClient iot, JsonCodec json) {
        this.iot = iot;
        this.json = json;
    }

    /** {@code correlation} is the message's correlation data in base 64, if any. */
    public void publish(String topic, String body, Map<String, String> userProperties, @Nullable String correlation) {
        List<Map<String, String>> properties = userProperties.entrySet().stream()
                .map(property -> Map.of(property.getKey(), property.getValue()))
                .toList();
        iot.publish(message -> message.topic(topic)
                .qos(AT_LEAST_ONCE)
                .userProperties(json.write(properties))
                .correlationData(correlation)
                .payload(SdkBytes.fromUtf8String(body)));
    }
}
