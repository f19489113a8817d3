package farm.gantry.api.main.function;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import farm.gantry.api.link.MqttExchange;
import io.micronaut.context.ApplicationContext;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lets agents connect to AWS IoT Core whose password is their token, and allows them their own topics alone. Other devices of the
 * account have their own ways in.
 */
public final class IotAuthorizerFunction implements RequestHandler<Map<String, Object>, Map<String, Object>> {
    /** After so many seconds IoT Core asks again, by which an agent whose token was revoked is disconnected. */
    private static final int REFRESH_SECONDS = 300;

    /** In seconds; the longest that IoT Core knows. */
    private static final int MAX_CONNECTION_SECONDS = 86_400;

    private final MqttExchange exchange;

    /** As Lambda makes it. */
    public IotAuthorizerFunction() {
        this(FunctionContext.start());
    }

    public IotAuthorizerFunction(ApplicationContext context) {
        this.exchange = context.getBean(MqttExchange.class);
    }

    @Override
    public Map<String, Object> handleRequest(Map<String, Object> event, Context context) {
        return findPassword(event)
                .flatMap(exchange::agentOf)
                .map(agentId -> agentPolicy(agentId, context.getInvokedFunctionArn()))
                .orElse(Map.of("isAuthenticated", false));
    }

    private static Optional<String> findPassword(Map<String, Object> event) {
        if (event.get("protocolData") instanceof Map<?, ?> protocols
                && protocols.get("mqtt") instanceof Map<?, ?> mqtt
                && mqtt.get("password") instanceof String password) {
            try {
                return Optional.of(new String(Base64.getDecoder().decode(password), UTF_8));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static Map<String, Object> agentPolicy(String agentId, String function) {
        String[] parts = function.split(":", -1); // arn:PARTITION:lambda:REGION:ACCOUNT:function:…
        String iot = "arn:" + parts[1] + ":iot:" + parts[3] + ":" + parts[4] + ":";
        String down = MqttExchange.TOPIC.formatted(agentId, MqttExchange.DOWN);
        List<Map<String, Object>> statements = List.of(
                allowStatement("iot:Connect", iot + "client/gantry-agent-" + agentId),
                allowStatement("iot:Publish", iot + "topic/" + MqttExchange.TOPIC.formatted(agentId, MqttExchange.UP)),
                allowStatement("iot:Publish", iot + "topic/" + MqttExchange.TOPIC.formatted(agentId, MqttExchange.GONE)),
                allowStatement("iot:Subscribe", iot + "topicfilter/" + down),
                allowStatement("iot:Receive", iot + "topic/" + down));
        return Map.of(
                "isAuthenticated",
                true,
                "principalId",
                agentId,
                "disconnectAfterInSeconds",
                MAX_CONNECTION_SECONDS,
                "refreshAfterInSeconds",
                REFRESH_SECONDS,
                "policyDocuments",
                List.of(Map.of("Version", "2012-10-17", "Statement", statements)));
    }

    private static Map<String, Object> allowStatement(String action, String resource) {
        return Map.of("Effect", "Allow", "Action", action, "Resource", resource);
    }
}
