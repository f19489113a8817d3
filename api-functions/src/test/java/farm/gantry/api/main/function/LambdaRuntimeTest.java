package farm.gantry.api.main.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.contract.HttpContract;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.RuntimeInterface;
import farm.gantry.api.fixture.SharedApi;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the API with Lambda's real runtime client, in a JVM of its own. */
@Tag("install")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LambdaRuntimeTest implements HttpContract {
    private RuntimeInterface runtime;

    @BeforeAll
    void start() throws IOException {
        runtime = new RuntimeInterface();
    }

    @AfterAll
    void stop() {
        runtime.close();
    }

    @Override
    public Host host() {
        return runtime;
    }

    @Test
    void channelOfEmailIsRejectedBecauseFunctionsSendNone() {
        Answer refused = Client.of(runtime, SharedApi.newStore().key()).post("/v1/notification-channels", """
                        {"name": "office", "kind": "email", "settings": {"host": "smtp.example.com",
                         "sender": "farm@example.com", "recipients": ["ada@example.com"]}}""");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("details[0].message"))
                .isEqualTo(
                        "settings.host cannot be used: the functions on AWS send no e-mail; choose another kind of channel");
    }

    @Test
    void functionAnswersAfterItsSnapshotIsRestored() throws Exception {
        String key = SharedApi.newStore().key();
        try (RuntimeInterface function = RuntimeInterface.withSnapshot(HttpApiFunction.class, Map.of(), List.of())) {
            function.restore();
            assertThat(Client.of(function, key).get("/v1/macros").status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {HttpApiFunction.class, AgentLinkFunction.class, WorkerResultFunction.class})
    void functionRehearsesItsWorkBeforeItsSnapshot(Class<?> function) throws Exception {
        try (RuntimeInterface runtime =
                RuntimeInterface.withSnapshot(function, Map.of(), List.of("-Dlogback.configurationFile=logback.xml"))) {
            assertThat(runtime.log()).contains("1 of 1 rehearsals before the snapshot were successful");
        }
    }

    @Test
    void functionWithABrokerOfEventsDoesNotStart() {
        Map<String, String> settings = Map.of("GANTRY_EVENTS_BROKER_URL", "mqtts://broker.example");
        assertThatThrownBy(() -> RuntimeInterface.withSnapshot(HttpApiFunction.class, settings, List.of()))
                .hasMessageContaining("GANTRY_EVENTS_BROKER_URL cannot be set for a function");
    }

    @Test
    void oversizedResponseIsAShorterPageOrAnErrorWithALimit() {
        Client client = Client.of(runtime, SharedApi.newStore().key());
        String large = "\\\"".repeat(700_000);
        for (int i = 0; i < 5; i++) {
            client.made("/v1/macros", "{\"name\":\"m" + i + "\",\"type\":\"generic\",\"gcode\":\"" + large + "\"}");
        }
        Answer refused = client.get("/v1/macros");
        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.at("error")).isEqualTo("page_too_large");
        assertThat(refused.at("message")).asString().contains("limit=2 fits");
        assertThat(client.get("/v1/macros?limit=2").each("name")).containsExactly("m0", "m1");
        List<String> names = new ArrayList<>();
        String next = "";
        do {
            Answer page = client.get("/v1/macros?meta=true" + next);
            assertThat(page.body()).hasSizeLessThan(6_000_000);
            assertThat(page.at("meta.total")).hasToString("5");
            names.addAll(page.each("name"));
            next = page.at("meta.nextCursor") instanceof String cursor && !cursor.equals("(absent)")
                    ? "&cursor=" + cursor
                    : "";
            assertThat(page.at("meta.hasMore")).isEqualTo(!next.isEmpty());
        } while (!next.isEmpty());
        assertThat(names).containsExactly("m0", "m1", "m2", "m3", "m4");
    }
}
