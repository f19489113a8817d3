package farm.gantry.api.link;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.agent.Agent;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the event of an agent that became unreachable. */
final class AgentWatchdogTest {
    @Test
    void silentAgentIsReportedOnceByName() {
        FakeAgent agent = new FakeAgent(SharedApi.newStore(), new Socket());
        Client client = agent.client();
        client.made("/v1/notification-channels", """
                {"name": "phone", "kind": "ntfy", "settings": {"topic": "a"}, "events": ["onAgentOffline"]}""");
        agent.printer("Voron", "");
        agent.exchange();
        SharedApi.bean(AgentWatchdog.class).checkTimeouts();
        String channel = client.get("/v1/notification-channels").each("id").getFirst();
        String log = "/v1/notification-channels/" + channel + "/deliveries";
        assertThat(client.get(log).json().size()).as("while it is seen").isZero();
        agent.change(
                Agent.class, agent.agentId(), Map.of("lastSeenAt", Instant.now().minus(Duration.ofMinutes(5))));
        SharedApi.bean(AgentWatchdog.class).checkTimeouts();
        SharedApi.bean(AgentWatchdog.class).checkTimeouts();
        Answer sent = client.get(log);
        assertThat(sent.each("event")).containsExactly("onAgentOffline");
        String name = String.valueOf(client.get("/v1/agents/" + agent.agentId()).at("name"));
        assertThat(sent.at("[0].body.text"))
                .isEqualTo("The agent " + name + " is unreachable, and its printers with it.");
    }
}
