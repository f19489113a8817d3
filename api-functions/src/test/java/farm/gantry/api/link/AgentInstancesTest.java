package farm.gantry.api.link;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.agent.Agent;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.version.ProductVersion;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests two processes of an agent with the same token: its data was copied, or it was started twice. */
final class AgentInstancesTest {
    private final FakeAgent agent = new FakeAgent(SharedApi.newStore(), new Socket());
    private final String printer = agent.printer("one", "");

    private Answer ask(String instance) {
        return ask(instance, agent.lastSequence());
    }

    private Answer ask(String instance, long sequence) {
        return agent.link("{\"session\":\"s-%s\",\"sequence\":%d,\"instance\":%s}"
                .formatted(instance.replaceAll("\\W", ""), sequence, instance));
    }

    private void replaceByOneWithoutData() {
        assertServed(ask("{\"id\":\"one\",\"ended\":true}"), false);
        assertServed(ask("{\"id\":\"two\"}", 0), false);
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

    private String start() {
        String job = agent.job("");
        agent.round();
        return job;
    }

    private String startTaken() {
        assertServed(ask("{\"id\":\"one\"}"), false);
        String job = start();
        acknowledge();
        assertThat(agent.status(job)).isEqualTo("Sending-to-printer");
        return job;
    }

    private void acknowledge() {
        Object command = agent.exchange().at("commands[0].commandId");
        agent.exchange(List.of(), List.of(Map.of("commandId", command, "outcome", "taken")), List.of());
    }

    private void assertFreeOnceConfirmed() {
        assertThat(agent.stateOf(printer).at("printingJobId")).isNull();
        assertThat(agent.stateOf(printer).at("confirmedReady")).isEqualTo(false);
        assertThat(agent.confirm(printer).status()).isEqualTo(200);
    }

    private void assertLost(String job) {
        assertThat(agent.status(job)).isEqualTo("Failed");
        assertThat(String.valueOf(agent.stored(job).at("errorMessage"))).contains("lost its data");
        assertFreeOnceConfirmed();
    }

    @Test
    void secondInstanceIsRejectedWhileTheFirstIsConnected() {
        assertServed(ask("{\"id\":\"one\"}"), false);
        start();
        assertSuperseded(ask("{\"id\":\"two\"}"));
        assertServed(ask("{\"id\":\"one\"}"), true);
        assertServed(agent.exchange(), true); // an older agent, which tells no process
    }

    @Test
    void eventsOfTheRejectedInstanceAreIgnored() {
        assertServed(ask("{\"id\":\"one\"}"), false);
        String event =
                "{\"sequence\":%d,\"at\":\"2026-01-01T00:00:00Z\",\"deviceId\":\"%s\",\"kind\":\"printerOffline\"}"
                        .formatted(agent.nextSequence(), agent.deviceOf(printer));
        assertSuperseded(agent.link(
                "{\"session\":\"s\",\"sequence\":1,\"instance\":{\"id\":\"two\"},\"events\":[" + event + "]}"));
        assertThat(agent.stateOf(printer).at("isOnline")).isEqualTo(true);
    }

    @Test
    void secondInstanceIsServedAfterATimeoutWithoutRepeatingTheStart() {
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
    void restartedInstanceIsServedAtOnceWithThePendingStart() {
        assertServed(ask("{\"id\":\"one\"}"), false);
        start();
        Answer next = ask("{\"id\":\"two\",\"former\":[\"zero\",\"one\"]}");
        assertServed(next, true);
        assertThat(agent.stateOf(printer).at("confirmedReady")).isEqualTo(true);
        assertSuperseded(ask("{\"id\":\"one\",\"former\":[\"zero\"]}"));
    }

    @Test
    void otherInstanceIsServedAtOnceAfterTheFirstShutsDown() {
        assertServed(ask("{\"id\":\"one\"}"), false);
        start();
        assertServed(ask("{\"id\":\"one\",\"ended\":true}"), false);
        assertServed(ask("{\"id\":\"two\"}"), true);
        assertThat(agent.stateOf(printer).at("confirmedReady")).isEqualTo(true);
    }

    @Test
    void versionOfTheAgentIsUpdatedWhenItsProcessChanges() {
        assertServed(ask("{\"id\":\"one\"}"), false);
        assertThat(version())
                .as("an agent that does not send its version keeps that of its pairing")
                .isEqualTo("1");
        assertServed(ask("{\"id\":\"two\",\"former\":[\"one\"],\"version\":\"1.3.0\"}"), false);
        assertThat(version()).isEqualTo("1.3.0");
    }

    private String version() {
        return String.valueOf(
                agent.client().get("/v1/agents/" + agent.agentId()).at("version"));
    }

    @Test
    void serverSendsItsVersionInTheFirstResponseOfASession() {
        String instance = "{\"id\":\"one\",\"fieldOfANewerAgent\":1}";
        assertThat(ask(instance).at("version")).isEqualTo(ProductVersion.CURRENT.text());
        assertThat(ask(instance).json().get("version")).isNull();
    }

    @Test
    void jobFailsWhenItsAgentLostItsData() {
        String job = startTaken();
        replaceByOneWithoutData();
        assertLost(job);
    }

    @Test
    void printFailsWhenItsAgentLostItsDataWhileDisconnected() {
        String job = startTaken();
        agent.happened(printer, "jobStarted", job);
        agent.change(Agent.class, agent.agentId(), Map.of("isOnline", false));
        assertServed(ask("{\"id\":\"two\"}", 0), false);
        assertLost(job);
    }

    @Test
    void printerIsFreeWhenTheAgentLostItsCancelledPrint() {
        String job = startTaken();
        agent.client().patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + job + "\"]}");
        acknowledge();
        replaceByOneWithoutData();
        assertThat(agent.status(job)).isEqualTo("Cancelled");
        assertFreeOnceConfirmed();
    }

    @Test
    void unacknowledgedStartIsReturnedWhenTheAgentLostItsData() {
        assertServed(ask("{\"id\":\"one\"}"), false);
        String job = start();
        assertServed(ask("{\"id\":\"one\",\"ended\":true}"), false);
        Answer next = ask("{\"id\":\"two\"}", 0);
        assertServed(next, true);
        assertThat(next.at("commands[0].expiresAt")).isEqualTo("1970-01-01T00:00:00.000Z");
        assertThat(agent.status(job)).isEqualTo("Sending-to-printer");
    }

    @Test
    void printContinuesWhenItsAgentRestartsWithItsData() {
        String job = startTaken();
        assertServed(ask("{\"id\":\"one\",\"ended\":true}"), false);
        assertServed(ask("{\"id\":\"two\"}"), false);
        agent.happened(printer, "jobStarted", job);
        assertThat(agent.status(job)).isEqualTo("Printing");
    }

    @Test
    void bedConfirmationExpiresWhenTheAgentLostItsData() {
        assertServed(ask("{\"id\":\"one\"}"), false);
        replaceByOneWithoutData();
        assertFreeOnceConfirmed();
    }
}
