package farm.gantry.edge;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.edge.simulator.Pace;
import farm.gantry.edge.simulator.Simulator;
import farm.gantry.wire.LinkRequest.Event;
import farm.gantry.wire.LinkRequest.Kind;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Power cuts at every step of a start: the printer outlives the agent, as it does in a farm. */
@Execution(ExecutionMode.CONCURRENT)
class CrashTest {
    private static final Pace FAST = new Pace(60, 120.0);

    @TempDir
    Path data;

    @ParameterizedTest
    @ValueSource(strings = {"taken", "downloaded", "uploaded", "start_answered", "started", "ended"})
    void aPrintIsStartedOnceAndToldToItsEndWhereverTheAgentDies(String step) throws Exception {
        String jobId = Id.next();
        try (FakeApi api = new FakeApi();
                Simulator printer = new Simulator(0, FAST, null)) {
            begin(api, printer, jobId, step);
            try (ChildAgent _ = ChildAgent.start(api, data, "")) {
                Patience.until(
                        "the job is completed", () -> api.kinds(jobId).contains(Kind.jobCompleted), () -> api.events());
            }
            assertThat(new SimulatorLog(printer.port()).starts()).hasSize(1);
            assertThat(api.kinds(jobId)).containsExactly(Kind.jobStarted, Kind.jobCompleted);
            assertThat(api.events()).extracting(Event::sequence).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void aPrintThatMayHaveBeenStartedIsNeverStartedAgain() throws Exception {
        String jobId = Id.next();
        try (FakeApi api = new FakeApi();
                Simulator printer = new Simulator(0, FAST, null)) {
            begin(api, printer, jobId, "start_sent");
            try (ChildAgent _ = ChildAgent.start(api, data, "")) {
                Patience.until("the job is given up", () -> api.kinds(jobId).contains(Kind.jobFailed));
            }
            assertThat(new SimulatorLog(printer.port()).starts()).isEmpty();
            assertThat(api.events())
                    .filteredOn(event -> event.kind() == Kind.jobFailed)
                    .singleElement()
                    .satisfies(event -> assertThat(event.message()).contains("check the bed"));
        }
    }

    @Test
    void aPrintThatEndedWhileTheAgentWasDeadIsToldWhenItLives() throws Exception {
        String jobId = Id.next();
        try (FakeApi api = new FakeApi();
                Simulator printer = new Simulator(0, FAST, null)) {
            begin(api, printer, jobId, "started");
            SimulatorLog log = new SimulatorLog(printer.port());
            log.fail("mcu-shutdown");
            log.recover();
            try (ChildAgent _ = ChildAgent.start(api, data, "")) {
                Patience.until(
                        "the job has failed", () -> api.kinds(jobId).contains(Kind.jobFailed), () -> api.events());
            }
            assertThat(api.kinds(jobId)).containsExactly(Kind.jobStarted, Kind.jobFailed);
            assertThat(log.starts()).hasSize(1);
        }
    }

    private void begin(FakeApi api, Simulator printer, String jobId, String step) throws Exception {
        api.serve(FakeApi.firmwareK("k1", printer.port(), null));
        try (ChildAgent agent = ChildAgent.start(api, data, step)) {
            Patience.until("the printer is idle", () -> "idle".equals(api.status("k1")), () -> api.state("k1"));
            api.command("k1", api.print(jobId, 1, PrintFile.cube()));
            assertThat(agent.dies()).as("the agent dies at " + step).isTrue();
        }
    }
}
