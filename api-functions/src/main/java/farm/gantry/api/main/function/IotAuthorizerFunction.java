package farm.gantry.api.main.function;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import farm.gantry.Id;
import farm.gantry.api.database.SnapStartPreparation;
import farm.gantry.api.link.MqttExchange;
import farm.gantry.apikey.SecretToken;
import io.micronaut.context.ApplicationContext;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Authorises agents that connect to AWS IoT Core with their token as password, and limits each to its own topics. Other
 * devices of the account use other authorizers.
 */
public final class IotAuthorizerFunction implements RequestHandler<Map<String, Object>, Map<String, Object>> {
    /**
     * Seconds after which IoT Core calls the authorizer again; an agent whose token was revoked is then disconnected.
     */
    private static final int REFRESH_SECONDS = 300;

    /** Maximum duration of a connection in seconds, the largest value that IoT Core accepts. */
    private static final int MAX_CONNECTION_SECONDS = 86_400;

    private final MqttExchange exchange;

    /** Used by Lambda. */
    public IotAuthorizerFunction() {
        this(FunctionContext.start());
    }

    public IotAuthorizerFunction(ApplicationContext context) {
        this.exchange = context.getBean(MqttExchange.class);
        SnapStartPreparation.rehearse(
                context, () -> exchange.agentOf(SecretToken.generate(Id.next()).toString()));
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
                allowStatement(
                        "iot:Publish", iot + "topic/" + MqttExchange.TOPIC.formatted(agentId, MqttExchange.GONE)),
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
