package farm.gantry.api.link;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Call;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.Lambda;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.main.function.HttpApiFunction;
import farm.gantry.api.main.function.AgentLinkFunction;
import io.micronaut.context.ApplicationContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how often agents poll an API without long polling: often when a command may come, seldom otherwise. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LinkPaceTest {
    private static final long OFTEN = 5_000;
    private static final long SELDOM = 30_000;

    private ApplicationContext install;
    private SharedApi.Store store;
    private FakeAgent fakeAgent;

    @BeforeAll
    void start() {
        install = SharedApi.another(Map.of(
                "gantry.link.max-wait", "0s",
                "gantry.link.poll-interval", "5s",
                "gantry.link.idle-poll-interval", "30s",
                "gantry.link.address", "https://link.example/",
                // As for a function, whose events name no host.
                "micronaut.server.host", ""));
    }

    @AfterAll
    void stop() {
        install.close();
    }

    @BeforeEach
    void pair() {
        store = SharedApi.newStore();
        fakeAgent = new FakeAgent(store, new Lambda(new HttpApiFunction(install)));
    }

    /** Changes the store as if nobody had used it for a while. */
    private void leave() {
        install.getBean(Database.class)
                .in(
                        store.id(),
                        tx -> tx.update(
                                "update farm.\"apiKey\" set \"lastUsedAt\" = now() - interval '3 minutes' where \"storeId\" = ?",
                                store.id().value()));
    }

    private static long pause(Answer exchange) {
        return number(exchange, "pollAfterMs");
    }

    private static long number(Answer exchange, String member) {
        return ((Number) Objects.requireNonNull(exchange.at(member))).longValue();
    }

    @Test
    void agentPollsOftenWhileItsStoreIsInUse() {
        assertThat(pause(fakeAgent.exchange())).isEqualTo(OFTEN);
        assertThat(number(fakeAgent.exchange(), "reportAfterMs")).isEqualTo(OFTEN);
        leave();
        assertThat(pause(fakeAgent.exchange())).isEqualTo(SELDOM);
    }

    @Test
    void agentPollsSoonAfterSendingAnEvent() {
        String printer = fakeAgent.printer("one", "");
        leave();
        Answer response =
                fakeAgent.exchange(List.of(fakeAgent.event(printer, "printerOffline", Map.of())), List.of(), List.of());
        assertThat(pause(response)).isEqualTo(OFTEN);
        assertThat(pause(fakeAgent.exchange())).isEqualTo(SELDOM);
    }

    @ParameterizedTest
    @ValueSource(strings = {"preparing", "printing", "paused", "error", "unknown"})
    void agentOfAnActivePrinterPollsOftenAndReportsSeldom(String status) {
        String printer = fakeAgent.printer("one", "");
        leave();
        assertThat(pause(fakeAgent.exchange(List.of(), List.of(), List.of(fakeAgent.report(printer, status)))))
                .isEqualTo(OFTEN);
        Answer response = fakeAgent.exchange();
        assertThat(pause(response)).isEqualTo(OFTEN);
        assertThat(number(response, "reportAfterMs")).isEqualTo(SELDOM);
        assertThat(pause(fakeAgent.exchange(List.of(), List.of(), List.of(fakeAgent.report(printer, "finished")))))
                .isEqualTo(SELDOM);
    }

    @Test
    void agentOfAHeatingPrinterPollsOften() {
        String printer = fakeAgent.printer("one", "");
        leave();
        for (int target : List.of(60, 0)) {
            Map<String, ?> heaters = Map.of("bed", Map.of("actual", 60, "target", target));
            Answer response = fakeAgent.exchange(
                    List.of(), List.of(), List.of(fakeAgent.report(printer, "idle", heaters, List.of())));
            assertThat(pause(response)).isEqualTo(target > 0 ? OFTEN : SELDOM);
        }
    }

    @Test
    void agentWithAJobPollsOftenBeforeItsPrinterReportsIt() {
        String printer = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        fakeAgent.round();
        Answer commanded = fakeAgent.exchange();
        String command = String.valueOf(commanded.at("commands[0].commandId"));
        fakeAgent.exchange(List.of(), List.of(Map.of("commandId", command, "outcome", "taken")), List.of());
        leave();
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
        leave();
        Answer response = fakeAgent.exchange(List.of(), List.of(), List.of(fakeAgent.report(printer, "idle")));
        assertThat(response.json().get("commands").size()).isZero();
        assertThat(pause(response)).isEqualTo(OFTEN);
    }

    @Test
    void linkFunctionServesOnlyAgentsAndItsUrlIsSentToThem() throws Exception {
        Host link = new Lambda(new AgentLinkFunction(install));
        List<Map.Entry<String, String>> key = List.of(Map.entry("authorization", "ApiKey " + store.key()));
        assertThat(link.send(new Call("GET", "/v1/macros", key, new byte[0])).status())
                .isEqualTo(404);
        assertThat(Client.of(link).post("/v1/agents/link?wait=0", "{}").status())
                .as("without a token")
                .isEqualTo(401);
        Answer code = fakeAgent.client().post("/v1/agents/pairing-codes", "{}");
        Answer paired = fakeAgent
                .client()
                .post(
                        "/v1/agents/pair",
                        "{\"code\":\"" + code.at("code")
                                + "\",\"name\":\"a\",\"version\":\"1\",\"platform\":\"linux\"}");
        assertThat(paired.at("api")).isEqualTo("https://link.example/");
        Answer exchanged = Client.of(link)
                .with("authorization", "AgentToken " + paired.at("token"))
                .post(
                        "/v1/agents/link?wait=0",
                        "{\"session\":\"s\",\"sequence\":0,\"reports\":[],\"events\":[],\"acks\":[]}");
        assertThat(exchanged.status()).as(exchanged.text()).isEqualTo(201);
    }

    @Test
    void agentWithAPendingCommandPollsOften() {
        fakeAgent.printer("one", "");
        fakeAgent.job("");
        fakeAgent.round();
        leave();
        Answer commanded = fakeAgent.exchange();
        assertThat(commanded.json().get("commands").size()).isEqualTo(1);
        assertThat(pause(commanded)).isEqualTo(OFTEN);
    }
}
