package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.agent.Agent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two processes of an agent with one token: its data was copied, or it was started twice. */
final class AgentInstancesTest {
    private final FakeAgent agent = new FakeAgent(SharedApi.newStore(), new Socket());
    private final String printer = agent.printer("one", "");

    private Answer ask(String instance) {
        return agent.link("{\"session\":\"s-%s\",\"sequence\":0,\"instance\":%s}"
                .formatted(instance.replaceAll("\\W", ""), instance));
    }

    private void assertServed(Answer answer, boolean hasStart) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        assertThat((List<?>) answer.at("commands")).hasSize(hasStart ? 1 : 0);
    }

    private static void assertSuperseded(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(409);
        assertThat(answer.at("error")).isEqualTo("agent_superseded");
        assertThat(answer.text()).contains("another agent with the same token");
    }

    private void start() {
        agent.job("");
        agent.round();
    }

    @Test
    void theSecondIsRefusedWhileTheFirstIsHeardOf() {
        assertServed(ask("{\"id\":\"one\"}"), false);
        start();
        assertSuperseded(ask("{\"id\":\"two\"}"));
        assertServed(ask("{\"id\":\"one\"}"), true);
        assertServed(agent.exchange(), true); // an older agent, which tells no process
    }

    @Test
    void whatTheSecondTellsMeanwhileIsNotTakenForTheFirsts() {
        assertServed(ask("{\"id\":\"one\"}"), false);
        String event =
                "{\"sequence\":%d,\"at\":\"2026-01-01T00:00:00Z\",\"deviceId\":\"%s\",\"kind\":\"printerOffline\"}"
                        .formatted(agent.nextSequence(), agent.deviceOf(printer));
        assertSuperseded(agent.link(
                "{\"session\":\"s\",\"sequence\":1,\"instance\":{\"id\":\"two\"},\"events\":[" + event + "]}"));
        assertThat(agent.stateOf(printer).at("isOnline")).isEqualTo(true);
    }

    @Test
    void theSecondIsServedOnceTheFirstHasTimedOutAndItsUnacknowledgedStartIsNotBegunAgain() {
        assertServed(ask("{\"id\":\"one\"}"), false);
        start();
        assertServed(ask("{\"id\":\"one\"}"), true);
        agent.change(Agent.class, agent.agentId(), Map.of("isOnline", false));
        Answer second = ask("{\"id\":\"two\"}");
        assertServed(second, true);
        assertThat(second.at("commands[0].expiresAt")).isEqualTo("1970-01-01T00:00:00.000Z");
        assertThat(agent.stateOf(printer).at("confirmedReady")).isEqualTo(false);
        assertSuperseded(ask("{\"id\":\"one\"}"));
    }

    @Test
    void theNextOnTheSameDataIsServedAtOnceWithTheStartThatWasOnItsWay() {
        assertServed(ask("{\"id\":\"one\"}"), false);
        start();
        Answer next = ask("{\"id\":\"two\",\"former\":[\"zero\",\"one\"]}");
        assertServed(next, true);
        assertThat(agent.stateOf(printer).at("confirmedReady")).isEqualTo(true);
        assertSuperseded(ask("{\"id\":\"one\",\"former\":[\"zero\"]}"));
    }

    @Test
    void anyOtherIsServedAtOnceAfterOneHasEnded() {
        assertServed(ask("{\"id\":\"one\"}"), false);
        start();
        assertServed(ask("{\"id\":\"one\",\"ended\":true}"), false);
        assertServed(ask("{\"id\":\"two\"}"), true);
        assertThat(agent.stateOf(printer).at("confirmedReady")).isEqualTo(true);
    }
}
