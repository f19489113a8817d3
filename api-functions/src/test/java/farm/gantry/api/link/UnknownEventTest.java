package farm.gantry.api.link;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Call;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import io.micronaut.serde.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests events of an agent newer than the API. */
final class UnknownEventTest {
    private final SharedApi.Store store = SharedApi.newStore();
    private final FakeAgent agent = new FakeAgent(store, new Socket());

    @Test
    void unknownEventTypeIsAcknowledgedWithTheOthers() throws Exception {
        String printer = agent.printer("one", "");
        Map<String, Object> before = agent.event(printer, "printerOffline", Map.of());
        Map<String, Object> unknown = agent.event(printer, "printerDreams", Map.of("message", "of sheep"));
        Answer first = undescribed(List.of(before, unknown));
        assertThat(acknowledged(first)).isEqualTo(unknown.get("sequence"));
        assertThat(agent.stateOf(printer).at("isOnline")).isEqualTo(false);

        Map<String, Object> after = agent.event(printer, "printerOnline", Map.of());
        Answer second = undescribed(List.of(unknown, after));
        assertThat(acknowledged(second)).isEqualTo(after.get("sequence"));
        assertThat(agent.stateOf(printer).at("isOnline")).isEqualTo(true);
    }

    @Test
    void unknownEventsOfARequestAreLoggedInOneLine() throws Exception {
        String printer = agent.printer("one", "");
        List<Map<String, Object>> events = IntStream.range(0, 300)
                .mapToObj(i -> agent.event(printer, "printerDreams" + i % 2, Map.of()))
                .toList();
        List<String> lines = new CopyOnWriteArrayList<>();
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                if (event.getFormattedMessage().contains(agent.agentId())) {
                    lines.add(event.getFormattedMessage());
                }
            }
        };
        Logger logger = (Logger) LoggerFactory.getLogger("farm.gantry.api.link.UnknownEvents");
        appender.start();
        Level before = logger.getLevel();
        logger.setLevel(Level.WARN);
        logger.addAppender(appender);
        try {
            undescribed(events);
        } finally {
            logger.detachAppender(appender);
            logger.setLevel(before);
        }
        assertThat(lines).singleElement().asString().contains("dropped 300 events", "printerDreams0, printerDreams1");
    }

    @Test
    void requestWithTooManyEventsIsRejected() {
        String event =
                "{\"sequence\":%d,\"kind\":\"printerOnline\",\"at\":\"2026-01-01T00:00:00Z\",\"deviceId\":\"d\"}";
        String events =
                IntStream.rangeClosed(1, 1001).mapToObj(event::formatted).collect(Collectors.joining(","));
        Answer refused = agent.link("{\"session\":\"s\",\"sequence\":1001,\"events\":[" + events + "]}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text()).contains("\"events\"");
    }

    @Test
    void invalidEventIsRejectedWithItsField() {
        String events = "{\"session\":\"s\",\"sequence\":1,\"events\":[%s]}";
        String rest = "\"at\":\"2026-01-01T00:00:00Z\",\"deviceId\":\"d\"}";
        Answer noWord = agent.link(events.formatted("{\"sequence\":1,\"kind\":7," + rest));
        assertThat(noWord.status()).isEqualTo(400);
        assertThat(noWord.text()).contains("events[0].kind");
        Answer noNumber = agent.link(events.formatted("{\"kind\":\"printerDreams\"," + rest));
        assertThat(noNumber.status()).isEqualTo(400);
        assertThat(noNumber.text()).contains("events[0].sequence");
    }

    /** Sends events that are not in the API's description. */
    private Answer undescribed(List<?> events) throws Exception {
        byte[] message = SharedApi.bean(ObjectMapper.class)
                .writeValueAsBytes(Map.of("session", agent.session(), "sequence", 1, "events", events));
        Answer answer = new Socket()
                .send(new Call(
                        "POST",
                        "/v1/agents/link?wait=0",
                        List.of(
                                Map.entry("authorization", "AgentToken " + agent.token()),
                                Map.entry("content-type", "application/json")),
                        message));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer;
    }

    private static long acknowledged(Answer answer) {
        return ((Number) Objects.requireNonNull(answer.at("ackSequence"))).longValue();
    }
}
