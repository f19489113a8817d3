package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.printer.state.JobState;
import farm.gantry.edge.printer.state.JobState.ForeignPrint;
import farm.gantry.edge.printer.state.JobState.Idle;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.printer.state.JobState.PauseReport;
import farm.gantry.edge.printer.state.JobState.PendingRequest;
import farm.gantry.edge.printer.state.StartedState.CancellingStart;
import farm.gantry.edge.printer.state.StartedState.Starting;
import farm.gantry.edge.printer.state.UnconfirmedState.BeginUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.CancellingUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.PrintLost;
import farm.gantry.wire.Command;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Restores states from journal lines of the previous version, as an agent that is upgraded during a print does. */
class JournaledStateTest {
    private static final String IDLE =
            "[{\"is\":\"seen\",\"deviceId\":\"k1\",\"fileName\":\"a.gcode\",\"busy\":false,\"printCounter\":\"7\"}]\n";
    private static final String FOREIGN =
            "[{\"is\":\"seen\",\"deviceId\":\"k1\",\"fileName\":\"a.gcode\",\"busy\":true}]\n";
    private static final String ACCEPTED = """
            [{"is":"taken","commandId":"c1","at":"2026-11-20T10:00:00Z"},{"is":"asked","job":{"deviceId":"k1",\
            "expiresAt":"2026-11-20T10:10:00Z","fileName":"gantry-j1-1-a.gcode","print":{"jobId":"j1","attempt":1,\
            "fileName":"a.gcode","url":"u","size":1,"sha256":"0","taskId":1}}}]
            """;
    private static final String CANCEL = "[{\"is\":\"cancelling\",\"jobId\":\"j1\",\"attempt\":1}]\n";
    private static final String PAUSE = "[{\"is\":\"pausing\",\"jobId\":\"j1\",\"attempt\":1,\"waits\":true}]\n";
    private static final NoJob BEFORE = new Idle("a.gcode", "7");
    private static final Job JOB = job();
    private static final BeginUnconfirmed BEGUN =
            new BeginUnconfirmed(JOB, PauseReport.UNKNOWN, PendingRequest.NONE, null);
    private static final PrintLost LOST = new PrintLost(JOB, PauseReport.UNKNOWN, PendingRequest.NONE, null);

    @TempDir
    Path data;

    static Stream<Arguments> journals() {
        String sent = IDLE + ACCEPTED + reached("uploaded") + reached("start_sent");
        return Stream.of(
                arguments("", NoJob.UNSEEN),
                arguments(IDLE, BEFORE),
                arguments(FOREIGN, new ForeignPrint("a.gcode", null)),
                arguments(IDLE + ACCEPTED + reached("uploaded"), BEFORE),
                arguments(sent, new Starting(JOB, BEFORE)),
                arguments(sent + CANCEL, new CancellingStart(JOB, BEFORE)),
                arguments(sent + reached("started"), BEGUN),
                arguments(sent + reached("started") + PAUSE, BEGUN.withPendingRequest(PendingRequest.PAUSE)),
                arguments(sent + reached("started") + CANCEL, new CancellingUnconfirmed(BEGUN)),
                arguments(sent + reached("started") + PAUSE + CANCEL, new CancellingUnconfirmed(BEGUN)),
                arguments(sent + reached("started") + reached("shown"), LOST),
                arguments(sent + reached("shown") + PAUSE, LOST.withPendingRequest(PendingRequest.PAUSE)),
                arguments(sent + reached("shown") + CANCEL, new CancellingUnconfirmed(LOST)),
                arguments(sent + reached("started") + reached("ended"), BEFORE));
    }

    @ParameterizedTest
    @MethodSource("journals")
    void stateIsRestoredFromAJournalOfThePreviousVersion(String lines, JobState expected) throws Exception {
        Path file = data.resolve("journal");
        Files.writeString(file, lines);
        try (Journal journal = Journal.open(file, InstantSource.system())) {
            assertThat(new JournaledState(journal, "k1").restoreState(true)).isEqualTo(expected);
        }
    }

    private static String reached(String step) {
        return "[{\"is\":\"reached\",\"jobId\":\"j1\",\"attempt\":1,\"step\":\"" + step + "\"}]\n";
    }

    private static Job job() {
        Command.Print print = new Command.Print("j1", 1, "a.gcode", "u", 1, "0", null, null, 1, null, null, null, null);
        return new Job("k1", Instant.parse("2026-11-20T10:10:00Z"), print, "gantry-j1-1-a.gcode");
    }
}
