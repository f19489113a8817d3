package farm.gantry.api.aws;

import io.micronaut.context.annotation.Requires;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.iotdataplane.IotDataPlaneClient;

/** Publishes messages of MQTT 5 by AWS IoT Core, for a function has no connection that stays. */
@Singleton
@Requires(property = "gantry.aws.iot", value = "true")
public final class IotMessages {
    /** What IoT Core takes in a message. */
    public static final int MOST_BYTES = 128 << 10;

    private static final int AT_LEAST_ONCE = 1;

    private final IotDataPlaneClient iot;
    private final JsonMapper mapper;

    IotMessages(IotDataPlaneClient iot, JsonMapper mapper) {
        this.iot = iot;
        this.mapper = mapper;
    }

    /** {@code correlation} is the message's correlation data in base 64, if it has some. */
    public void publish(String topic, String body, Map<String, String> userProperties, @Nullable String correlation) {
        List<Map<String, String>> properties = userProperties.entrySet().stream()
                .map(property -> Map.of(property.getKey(), property.getValue()))
                .toList();
        try {
            String json = mapper.writeValueAsString(properties);
            iot.publish(message -> message.topic(topic)
                    .qos(AT_LEAST_ONCE)
                    .userProperties(json)
                    .correlationData(correlation)
                    .payload(SdkBytes.fromUtf8String(body)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
