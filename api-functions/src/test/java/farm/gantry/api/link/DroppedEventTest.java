package farm.gantry.api.link;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Tests events that cannot be applied, or that name a printer whose device is another one now. */
final class DroppedEventTest {
    private final SharedApi.Store store = SharedApi.newStore();
    private final FakeAgent agent = new FakeAgent(store, new Socket());

    @Test
    void inapplicableEventIsDroppedAndOthersAreApplied() throws SQLException {
        String printer = agent.printer("one", "");
        String job = agent.job("");
        agent.round();
        assertThat(agent.status(job)).isEqualTo("Sending-to-printer");
        String other = agent.printer("two", "");
        Map<String, Object> before = agent.event(other, "printerChanged", Map.of("message", "used by hand"));
        Map<String, Object> started = agent.event(printer, "jobStarted", attempt(job));
        Map<String, Object> after = agent.event(other, "printerOffline", Map.of());
        List<?> reports = List.of(agent.report(printer, "printing"));

        Answer answer = refusing(job, () -> agent.exchange(List.of(before, started, after), List.of(), reports));

        assertThat(answer.at("ackSequence")).hasToString(String.valueOf(after.get("sequence")));
        assertThat(agent.status(job)).isEqualTo("Sending-to-printer");
        assertThat(agent.stateOf(printer).at("confirmedReady")).isEqualTo(false);
        assertThat(agent.client().get("/v1/printers/" + printer + "/state").at("status"))
                .isEqualTo("printing");
        assertThat(agent.stateOf(other).at("confirmedReady")).isEqualTo(false);
        assertThat(agent.stateOf(other).at("isOnline")).isEqualTo(false);
        agent.happened(printer, "jobCompleted", job);
        assertThat(agent.status(job)).isEqualTo("Completed");
    }

    @Test
    void skippedObjectsAreStoredDespiteAnInapplicableEvent() throws SQLException {
        String printer = agent.printer("one", "");
        String job = agent.job("");
        agent.round();
        agent.happened(printer, "jobStarted", job);
        String other = agent.printer("two", "");
        String refused = agent.job("");
        agent.round();
        agent.client()
                .post(
                        "/v1/printer-commands/send",
                        "{\"ids\":[\"" + printer
                                + "\"],\"command\":{\"command\":\"skip-objects\",\"objectIds\":[\"Ring_1\"]}}");
        Object skip = agent.exchange().at("commands[2].commandId");
        Map<String, Object> started = agent.event(other, "jobStarted", attempt(refused));
        Map<String, Object> completed = agent.event(printer, "jobCompleted", attempt(job));
        Map<String, Object> taken = Map.of("commandId", String.valueOf(skip), "outcome", "taken");

        refusing(refused, () -> agent.exchange(List.of(started, completed), List.of(taken), List.of()));

        assertThat(agent.status(refused)).isEqualTo("Sending-to-printer");
        assertThat(agent.status(job)).isEqualTo("Completed");
        assertThat(agent.stored(job).at("skippedObjects")).isEqualTo(List.of("Ring_1"));
        assertThat(agent.stored(job).at("rejected")).hasToString("1");
    }

    private Map<String, Object> attempt(String job) {
        return Map.of("jobId", job, "attempt", agent.stored(job).at("attempt"));
    }

    @Test
    void endOfAJobFreesItsPrinterAfterItsDeviceWasReassigned() {
        String printer = agent.printer("one", "");
        String job = agent.job("");
        agent.round();
        agent.happened(printer, "jobStarted", job);
        String other = agent.printer("two", "");
        String device = agent.deviceOf(printer);
        agent.client().patch("/v1/printers/" + printer, "{\"deviceId\":\"" + Id.next() + "\"}");
        agent.client().patch("/v1/printers/" + other, "{\"deviceId\":\"" + device + "\"}");
        agent.confirm(other);
        agent.happened(printer, "jobCompleted", job);
        assertThat(agent.status(job)).isEqualTo("Completed");
        assertThat(agent.stateOf(printer).at("printingJobId")).isNull();
        assertThat(agent.stateOf(printer).at("confirmedReady")).isEqualTo(false);
        assertThat(agent.stateOf(other).at("confirmedReady")).isEqualTo(false);
    }

    /** Runs the work while a trigger rejects the job's status Printing. */
    private static Answer refusing(String job, Supplier<Answer> work) throws SQLException {
        String name = "farm.\"refuse" + job + "\"";
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl());
                Statement statement = owner.createStatement()) {
            statement.execute("create function " + name + "() returns trigger language plpgsql as"
                    + " 'begin raise exception ''refused''; end'");
            try {
                statement.execute("create trigger refused before update on farm.\"printJob\" for each row"
                        + " when (new.id = '" + job + "' and new.status = 'Printing') execute function " + name + "()");
                return work.get();
            } finally {
                statement.execute("drop function " + name + " cascade");
            }
        }
    }
}
