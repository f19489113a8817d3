package farm.gantry.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperty;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.embedded.EmbeddedExtension;
import com.hivemq.extension.sdk.api.ExtensionMain;
import com.hivemq.extension.sdk.api.auth.SimpleAuthenticator;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthInput;
import com.hivemq.extension.sdk.api.auth.parameter.SimpleAuthOutput;
import com.hivemq.extension.sdk.api.auth.parameter.TopicPermission;
import com.hivemq.extension.sdk.api.packets.auth.DefaultAuthorizationBehaviour;
import com.hivemq.extension.sdk.api.parameter.ExtensionStartInput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStartOutput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStopInput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStopOutput;
import com.hivemq.extension.sdk.api.services.Services;
import com.hivemq.extension.sdk.api.services.builder.Builders;
import farm.gantry.Id;
import farm.gantry.api.aws.IotDataPlane;
import farm.gantry.api.fixture.EventSource;
import farm.gantry.local.Broker;
import io.micronaut.function.aws.proxy.MockLambdaContext;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * AWS IoT Core in this process: a broker that asks the authorizer for permissions, passes agents' messages to the
 * link's function, as the rules of the stack do, and publishes the messages of its data plane.
 */
final class IotCore implements AutoCloseable {
    private static final String ARN = "arn:aws:iot:eu-central-1:123456789012:";
    private static final String TOPIC = ARN + "topic/";
    private static final String FILTER = ARN + "topicfilter/";

    private final String rules = Id.random(32);
    private final RequestHandler<Map<String, Object>, Map<String, Object>> authorizer;
    private final RequestHandler<Map<String, Object>, String> link;
    private final Broker broker;
    private final Mqtt5BlockingClient rule;
    private final IotDataPlane dataPlane;

    /** The link's function is created when its client can find the data plane. */
    IotCore(
            RequestHandler<Map<String, Object>, Map<String, Object>> authorizer,
            Supplier<RequestHandler<Map<String, Object>, String>> link)
            throws IOException {
        this.authorizer = authorizer;
        this.broker = new Broker(EmbeddedExtension.builder()
                .withId("authorizer")
                .withName("authorizer")
                .withVersion("1")
                .withAuthor("gantry")
                .withExtensionMain(new BrokerAuthorization())
                .build());
        this.rule = client("rules", rules);
        this.dataPlane = new IotDataPlane(this::passOn);
        this.link = link.get();
        for (String kind : List.of("up", "gone")) {
            var _ = rule.toAsync()
                    .subscribeWith()
                    .topicFilter("gantry/link/+/" + kind)
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .callback(message -> Thread.ofVirtual().start(() -> call(message)))
                    .send()
                    .join();
        }
    }

    URI url() {
        return URI.create("mqtt://127.0.0.1:" + broker.port());
    }

    /** Returns a client that connects with this password. */
    Mqtt5BlockingClient client(String name, String password) {
        Mqtt5BlockingClient client = MqttClient.builder()
                .useMqttVersion5()
                .identifier(name)
                .serverHost("127.0.0.1")
                .serverPort(broker.port())
                .buildBlocking();
        var _ = client.connectWith()
                .simpleAuth()
                .username(name)
                .password(password.getBytes(UTF_8))
                .applySimpleAuth()
                .send();
        return client;
    }

    /** Calls the function with the result of the stack's SQL for a message. */
    private void call(Mqtt5Publish message) {
        Map<String, Object> event = new HashMap<>(Map.of(
                "agentId", message.getTopic().getLevels().get(2),
                "kind", message.getTopic().getLevels().get(3),
                "sentAt", System.currentTimeMillis(),
                "authorization", properties(message, "authorization"),
                "wait", properties(message, "wait"),
                "body", Base64.getEncoder().encodeToString(message.getPayloadAsBytes())));
        message.getCorrelationData().ifPresent(number -> {
            byte[] bytes = new byte[number.remaining()];
            number.duplicate().get(bytes);
            event.put("correlation", Base64.getEncoder().encodeToString(bytes));
        });
        Requests.count("Lambda iot-link");
        link.handleRequest(event, new EventSource.Call());
    }

    private static List<String> properties(Mqtt5Publish message, String name) {
        return message.getUserProperties().asList().stream()
                .filter(property -> property.getName().toString().equals(name))
                .map(property -> property.getValue().toString())
                .toList();
    }

    private void passOn(IotDataPlane.Message message) {
        String correlation = message.correlation();
        var _ = rule.publishWith()
                .topic(message.topic())
                .qos(Objects.requireNonNull(MqttQos.fromCode(message.qos())))
                .correlationData(
                        correlation == null
                                ? null
                                : ByteBuffer.wrap(Base64.getDecoder().decode(correlation)))
                .userProperties(Mqtt5UserProperties.of(message.userProperties().entrySet().stream()
                        .map(property -> Mqtt5UserProperty.of(property.getKey(), property.getValue()))
                        .toList()))
                .payload(message.body().getBytes(UTF_8))
                .send();
    }

    /** A statement of the policy that the authorizer returns. */
    private record Statement(String action, String resource) {}

    /** Asks the authorizer; a client without a policy may do nothing. */
    private final class BrokerAuthorization implements ExtensionMain, SimpleAuthenticator {
        @Override
        public void extensionStart(ExtensionStartInput input, ExtensionStartOutput output) {
            Services.securityRegistry().setAuthenticatorProvider(_ -> this);
        }

        @Override
        public void extensionStop(ExtensionStopInput input, ExtensionStopOutput output) {}

        @Override
        public void onConnect(SimpleAuthInput input, SimpleAuthOutput output) {
            String name = input.getConnectPacket().getClientId();
            byte[] password = new byte
                    [input.getConnectPacket()
                            .getPassword()
                            .map(ByteBuffer::remaining)
                            .orElse(0)];
            input.getConnectPacket()
                    .getPassword()
                    .ifPresent(some -> some.duplicate().get(password));
            if (name.equals("rules") && new String(password, UTF_8).equals(rules)) {
                output.authenticateSuccessfully();
                return;
            }
            Requests.count("Lambda iot-authorizer");
            Map<String, Object> answer = authorizer.handleRequest(
                    Map.of(
                            "protocolData",
                            Map.of(
                                    "mqtt",
                                    Map.of(
                                            "clientId",
                                            name,
                                            "username",
                                            input.getConnectPacket()
                                                    .getUserName()
                                                    .orElse(""),
                                            "password",
                                            Base64.getEncoder().encodeToString(password)))),
                    new Call());
            List<Statement> statements = statements(answer);
            if (statements.stream().noneMatch(each -> each.resource().equals(ARN + "client/" + name))) {
                output.failAuthentication();
                return;
            }
            output.getDefaultPermissions().setDefaultBehaviour(DefaultAuthorizationBehaviour.DENY);
            statements.forEach(each -> allow(output, each.action(), each.resource()));
            output.authenticateSuccessfully();
        }

        private static List<Statement> statements(Map<String, Object> answer) {
            return list(answer.get("policyDocuments")).stream()
                    .flatMap(document -> list(((Map<?, ?>) document).get("Statement")).stream())
                    .map(each -> (Map<?, ?>) each)
                    .map(each ->
                            new Statement(String.valueOf(each.get("Action")), String.valueOf(each.get("Resource"))))
                    .toList();
        }

        private static List<?> list(@Nullable Object value) {
            return value instanceof List<?> all ? all : List.of();
        }

        private static void allow(SimpleAuthOutput output, String action, String resource) {
            if (action.equals("iot:Publish")) {
                permit(output, resource.replace(TOPIC, ""), TopicPermission.MqttActivity.PUBLISH);
            } else if (action.equals("iot:Subscribe")) {
                permit(output, resource.replace(FILTER, ""), TopicPermission.MqttActivity.SUBSCRIBE);
            }
        }

        private static void permit(SimpleAuthOutput output, String topic, TopicPermission.MqttActivity activity) {
            output.getDefaultPermissions()
                    .add(Builders.topicPermission()
                            .topicFilter(topic)
                            .activity(activity)
                            .type(TopicPermission.PermissionType.ALLOW)
                            .build());
        }
    }

    /** A call of the authorizer, whose ARN contains its region and account. */
    private static final class Call extends MockLambdaContext {
        @Override
        public String getInvokedFunctionArn() {
            return "arn:aws:lambda:eu-central-1:123456789012:function:authorizer:live";
        }
    }

    @Override
    public void close() throws IOException {
        dataPlane.close();
        rule.disconnect();
        broker.close();
    }
}
