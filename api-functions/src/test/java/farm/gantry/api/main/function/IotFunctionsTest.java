package farm.gantry.api.main.function;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import farm.gantry.Id;
import farm.gantry.api.aws.IotDataPlane;
import farm.gantry.api.fixture.Call;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.Lambda;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.ingest.function.emulator.Buckets;
import farm.gantry.ingest.function.emulator.SdkSettings;
import io.micronaut.context.ApplicationContext;
import io.micronaut.function.aws.proxy.MockLambdaContext;
import io.micronaut.serde.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the agent link over AWS IoT Core: the events of its authorizer and rule, and the responses of their functions.
 */
@Tag("install")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class IotFunctionsTest {
    @SuppressWarnings("rawtypes") // as the runtime knows it
    private static final PojoSerializer<Map> JSON =
            LambdaEventSerializers.serializerFor(Map.class, IotFunctionsTest.class.getClassLoader());

    private static final String NOTHING_NEW =
            "{\"session\":\"s\",\"sequence\":0,\"reports\":[],\"events\":[],\"acks\":[]}";
    private static final String NUMBER = "AAAAAAAAAAc=";

    private final List<IotDataPlane.Message> published = new CopyOnWriteArrayList<>();
    private Buckets buckets;
    private IotDataPlane broker;
    private ApplicationContext install;
    private IotLinkFunction link;
    private IotAuthorizerFunction authorizer;
    private Host host;
    private FakeAgent fakeAgent;
    private Client client;
    private String agentId;
    private String token;

    /** A call whose ARN contains its region and account. */
    private static final class Call extends MockLambdaContext {
        @Override
        public String getInvokedFunctionArn() {
            return "arn:aws:lambda:eu-central-1:123456789012:function:gantry-prod-link-authorizer:live";
        }
    }

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        buckets = new Buckets(folder);
        broker = new IotDataPlane(published::add);
        install = SharedApi.another(Map.of(
                "gantry.aws.region",
                SdkSettings.REGION,
                "gantry.aws.bucket",
                buckets.newBucket(),
                "gantry.aws.queue-prefix",
                "http://127.0.0.1/",
                "gantry.aws.iot-core-enabled",
                true,
                "gantry.agents.long-poll-timeout",
                "0s",
                // As for a function, whose events name no host.
                "micronaut.server.host",
                ""));
        link = new IotLinkFunction(install);
        authorizer = new IotAuthorizerFunction(install);
        host = new Lambda(new HttpApiFunction(install));
    }

    @AfterAll
    void stop() throws Exception {
        install.close();
        broker.close();
        buckets.stop();
    }

    @BeforeEach
    void pair() {
        published.clear();
        fakeAgent = new FakeAgent(SharedApi.newStore(), host);
        client = fakeAgent.client();
        agentId = fakeAgent.agentId();
        token = fakeAgent.token();
    }

    /** Calls the function with an event as the runtime deserializes it. */
    private static <T> T called(RequestHandler<Map<String, Object>, T> function, Map<String, ?> event) {
        try {
            return function.handleRequest(
                    object(ObjectMapper.getDefault().writeValueAsString(event).getBytes(UTF_8)), new Call());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("unchecked") // an object of JSON
    private static Map<String, Object> object(byte[] json) {
        return JSON.fromJson(new ByteArrayInputStream(json));
    }

    /** Returns the response as IoT Core receives it. */
    private Map<String, Object> asked(Map<String, ?> event) {
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        JSON.toJson(called(authorizer, event), json);
        return object(json.toByteArray());
    }

    /** Returns the event that the IoT rule creates from a message: a missing user property is an empty list. */
    private Map<String, Object> event(String kind, @Nullable String token, String body) {
        Map<String, Object> event = new HashMap<>(Map.of(
                "agentId",
                agentId,
                "kind",
                kind,
                "sentAt",
                System.currentTimeMillis(),
                "authorization",
                token == null ? List.of() : List.of("AgentToken " + token),
                "wait",
                List.of("20"),
                "correlation",
                NUMBER,
                "body",
                Base64.getEncoder().encodeToString(body.getBytes(UTF_8))));
        if (kind.equals("gone")) {
            event.remove("correlation");
        }
        return event;
    }

    private Map<String, Object> connecting(@Nullable String password) {
        Map<String, Object> mqtt = new HashMap<>(Map.of("username", agentId, "clientId", "gantry-agent-" + agentId));
        if (password != null) {
            mqtt.put("password", password);
        }
        return Map.of(
                "protocols",
                List.of("tls", "mqtt"),
                "protocolData",
                Map.of("tls", Map.of("serverName", "iot.example"), "mqtt", mqtt),
                "signatureVerified",
                false,
                "connectionMetadata",
                Map.of("id", "6f3b4f4e"));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    @Test
    void connectedAgentMayUseOnlyItsTopics() {
        Map<String, Object> answer = asked(connecting(base64(token)));
        String iot = "arn:aws:iot:eu-central-1:123456789012:";
        assertThat(answer)
                .containsEntry("isAuthenticated", true)
                .containsEntry("principalId", agentId)
                .containsEntry("disconnectAfterInSeconds", 86_400)
                .containsEntry("refreshAfterInSeconds", 300);
        assertThat((List<?>) answer.get("policyDocuments"))
                .singleElement()
                .satisfies(document -> assertThat((List<?>) ((Map<?, ?>) document).get("Statement"))
                        .extracting(
                                each -> ((Map<?, ?>) each).get("Effect"),
                                each -> ((Map<?, ?>) each).get("Action") + " " + ((Map<?, ?>) each).get("Resource"))
                        .containsExactlyInAnyOrder(
                                tuple("Allow", "iot:Connect " + iot + "client/gantry-agent-" + agentId),
                                tuple("Allow", "iot:Publish " + iot + "topic/gantry/link/" + agentId + "/up"),
                                tuple("Allow", "iot:Publish " + iot + "topic/gantry/link/" + agentId + "/gone"),
                                tuple("Allow", "iot:Subscribe " + iot + "topicfilter/gantry/link/" + agentId + "/down"),
                                tuple("Allow", "iot:Receive " + iot + "topic/gantry/link/" + agentId + "/down")));
    }

    @Test
    void connectionNeedsAnAgentToken() {
        String another = token.substring(0, token.length() - 1) + (token.endsWith("a") ? "b" : "a");
        for (String password : new String[] {null, "", "no base 64", base64(""), base64("guess"), base64(another)}) {
            assertThat(asked(connecting(password)))
                    .as(String.valueOf(password))
                    .isEqualTo(Map.of("isAuthenticated", false));
        }
        assertThat(asked(Map.of("protocols", List.of("tls")))).isEqualTo(Map.of("isAuthenticated", false));
        assertThat(client.delete("/v1/agents/" + agentId).status()).isBetween(200, 204);
        assertThat(asked(connecting(base64(token))))
                .as("a token that was revoked")
                .isEqualTo(Map.of("isAuthenticated", false));
    }

    @Test
    void responseIsPublishedToTheAgentsTopicWithTheRequestNumber() throws IOException {
        assertThat(called(link, event("up", token, NOTHING_NEW))).isEqualTo("answered");
        assertThat(published).singleElement().satisfies(message -> {
            assertThat(message.topic()).isEqualTo("gantry/link/" + agentId + "/down");
            assertThat(message.qos()).isEqualTo(1);
            assertThat(message.correlation()).isEqualTo(NUMBER);
            assertThat(message.userProperties()).containsEntry("status", "201");
            assertThat(Instant.parse(message.userProperties().get("date")))
                    .isBetween(Instant.now().minusSeconds(60), Instant.now());
            assertThat(message.body()).contains("\"printers\":[]", "\"commands\":[]");
        });
        assertThat(client.get("/v1/agents/" + agentId).at("isOnline")).isEqualTo(true);
    }

    @Test
    void requestNeedsTheAgentsToken() {
        String victim = agentId;
        String itsToken = token;
        Client itsClient = client;
        pair();
        String stranger = token;
        agentId = victim;
        for (String said : new String[] {null, stranger, "x"}) {
            called(link, event("up", said, NOTHING_NEW));
            called(link, event("gone", said, "{\"session\":\"s\"}"));
        }
        assertThat(published)
                .hasSize(3)
                .allSatisfy(message -> assertThat(message.userProperties()).containsEntry("status", "401"));
        assertThat(itsClient.get("/v1/agents/" + victim).at("isOnline")).isEqualTo(false);
        called(link, event("up", itsToken, NOTHING_NEW));
        assertThat(published.getLast().userProperties()).containsEntry("status", "201");
    }

    @Test
    void rejectedInstanceGetsTheReason() {
        for (String process : List.of("one", "two")) {
            String body = "{\"session\":\"s\",\"sequence\":0,\"instance\":{\"id\":\"" + process + "\"}}";
            called(link, event("up", token, body));
        }
        assertThat(published.getLast().userProperties()).containsEntry("status", "409");
        assertThat(published.getLast().body()).contains("\"error\":\"agent_superseded\"", "stop one of them");
    }

    @ParameterizedTest
    @ValueSource(strings = {"not JSON", "{}", "[]", ""})
    void invalidMessageIsRejected(String body) {
        called(link, event("up", token, body));
        assertThat(published)
                .singleElement()
                .satisfies(message -> assertThat(message.userProperties()).containsEntry("status", "400"));
    }

    @Test
    void outdatedRequestIsDropped() {
        Map<String, Object> late = event("up", token, NOTHING_NEW);
        late.put("sentAt", Instant.now().minus(Duration.ofSeconds(16)).toEpochMilli());
        assertThat(called(link, late)).isEqualTo("too old");
        assertThat(published).isEmpty();
        assertThat(client.get("/v1/agents/" + agentId).at("isOnline")).isEqualTo(false);
    }

    @Test
    void disconnectedAgentIsOfflineUnlessReconnected() {
        String printer = fakeAgent.printer("one", "");
        Map<String, Object> former = event("gone", token, "{\"session\":\"" + Id.random(16) + "\"}");
        assertThat(called(link, former)).isEqualTo("noted");
        assertThat(fakeAgent.stateOf(printer).at("isOnline")).isEqualTo(true);
        called(link, event("gone", token, "{\"session\":\"" + fakeAgent.session() + "\"}"));
        assertThat(fakeAgent.stateOf(printer).at("isOnline")).isEqualTo(false);
        assertThat(published).as("outdated results").isEmpty();
    }

    @Test
    void messageCarriesTwentyPrinters() {
        for (int i = 0; i < 20; i++) {
            fakeAgent.printer("printer " + i, "");
        }
        called(link, event("up", token, NOTHING_NEW));
        assertThat(published).singleElement().satisfies(message -> {
            assertThat(message.userProperties()).containsEntry("status", "201");
            assertThat(message.body().split("\"deviceId\"", -1)).hasSize(21);
        });
    }

    @Test
    void unexpectedMessageOfTheRuleFails() {
        Map<String, Object> event = event("up", token, NOTHING_NEW);
        event.remove("agentId");
        assertThatThrownBy(() -> called(link, event)).hasMessageContaining("agentId");
    }
}
