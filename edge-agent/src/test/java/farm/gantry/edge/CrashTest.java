package farm.gantry.edge;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.edge.printer.connection.Provider.Ability;
import farm.gantry.edge.provider.Providers;
import farm.gantry.printer.Printer;
import farm.gantry.simulator.printer.SimulationSpeed;
import farm.gantry.wire.LinkRequest.Event;
import farm.gantry.wire.LinkRequest.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Kills the agent at every step of a print's start while the printer continues. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class CrashTest {
    /** Prints last so long that only the test ends them, even on a slow machine. */
    private static final SimulationSpeed SLOW_PRINT = new SimulationSpeed(60, 60_000.0);

    private static final String ENDED = "ended";
    private static final List<Printer.Provider> MAKES = PrinterFixture.MAKES;

    /**
     * A provider that pushes its status and takes commands over HTTP, and one with its own broker; all with {@code
     * -Dcrash.all=true}.
     */
    private static final List<Printer.Provider> THOROUGH =
            Boolean.getBoolean("crash.all") ? MAKES : List.of(Printer.Provider.firmwareK, Printer.Provider.vendorA);

    @TempDir
    Path data;

    /** The first two steps do not depend on the provider; after the third one the printer has the file. */
    static Stream<Arguments> steps() {
        return Stream.of(
                        of("taken", List.of(Printer.Provider.firmwareK)),
                        of("downloaded", List.of(Printer.Provider.firmwareK)),
                        of("uploaded", THOROUGH),
                        of("start_answered", MAKES),
                        of("started", THOROUGH),
                        of(ENDED, THOROUGH))
                .flatMap(each -> each);
    }

    private static Stream<Arguments> of(String step, List<Printer.Provider> makes) {
        return makes.stream().map(make -> Arguments.of(make, step));
    }

    @ParameterizedTest
    @MethodSource("steps")
    void printStartsOnceAndIsReportedAfterACrashAtAnyStep(Printer.Provider make, String step) throws Exception {
        String jobId = Id.next();
        try (FakeApi api = new FakeApi();
                PrinterFixture printer = PrinterFixture.of(make, SLOW_PRINT)) {
            begin(api, printer, jobId, step);
            try (ChildAgent _ = ChildAgent.start(api, data, "")) {
                if (!step.equals(ENDED)) {
                    finish(
                            api,
                            printer,
                            () -> isSeenAgain(api) && api.kinds(jobId).contains(Kind.jobStarted));
                }
                Eventually.until(
                        "the job is completed", () -> api.kinds(jobId).contains(Kind.jobCompleted), () -> api.events());
            }
            assertThat(printer.log().starts()).hasSize(1);
            assertThat(api.kinds(jobId))
                    .as("but that it is not paused, which is reported after a restart")
                    .filteredOn(kind -> kind != Kind.jobResumed)
                    .containsExactly(Kind.jobStarted, Kind.jobCompleted);
            assertThat(api.events()).extracting(Event::sequence).isSorted().doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @FieldSource("MAKES")
    void unsentStartIsReturnedOnlyIfThePrinterProvesNoPrintBegan(Printer.Provider make) throws Exception {
        Kind expected =
                Providers.of(make).abilities().contains(Ability.COUNTS_STARTS) ? Kind.jobNotBegun : Kind.jobFailed;
        String jobId = Id.next();
        try (FakeApi api = new FakeApi();
                PrinterFixture printer = PrinterFixture.of(make, SLOW_PRINT)) {
            begin(api, printer, jobId, "start_sent");
            try (ChildAgent _ = ChildAgent.start(api, data, "")) {
                Eventually.until("the job is over", () -> api.kinds(jobId).contains(expected), api::events);
            }
            assertThat(printer.log().starts()).isEmpty();
            assertThat(api.events())
                    .filteredOn(event -> jobId.equals(event.jobId()))
                    .singleElement()
                    .satisfies(event -> assertThat(event.message())
                            .contains(expected == Kind.jobNotBegun ? "began no print" : "check the bed"));
        }
    }

    @ParameterizedTest
    @FieldSource("MAKES")
    void printThatEndedDuringDowntimeIsReportedWhenTheAgentStarts(Printer.Provider make) throws Exception {
        String jobId = Id.next();
        try (FakeApi api = new FakeApi();
                PrinterFixture printer = PrinterFixture.of(make, SLOW_PRINT)) {
            begin(api, printer, jobId, "started");
            SimulatorLog log = printer.log();
            log.fail("mcu-shutdown");
            log.recover();
            try (ChildAgent _ = ChildAgent.start(api, data, "")) {
                Eventually.until(
                        "the job has failed", () -> api.kinds(jobId).contains(Kind.jobFailed), () -> api.events());
            }
            assertThat(api.kinds(jobId)).containsExactly(Kind.jobStarted, Kind.jobFailed);
            assertThat(log.starts()).hasSize(1);
        }
    }

    /** A hung Bambu Lab printer reports the name of the last started print with the end of the previous one. */
    @Test
    void endOfThePreviousPrintIsNotReportedForAPrintThatNeverBegan() throws Exception {
        String jobId = Id.next();
        try (FakeApi api = new FakeApi();
                PrinterFixture printer = PrinterFixture.of(Printer.Provider.vendorA, SLOW_PRINT)) {
            SimulatorLog log = printer.log();
            log.fail("started-at-screen");
            log.fail("finished");
            api.serve(printer.printer());
            try (ChildAgent agent = ChildAgent.start(api, data, "start_answered")) {
                Eventually.until("the end is seen", () -> "finished".equals(api.status(PrinterFixture.DEVICE)));
                log.fail("state-lingers");
                api.command(PrinterFixture.DEVICE, api.print(jobId, 1, PrintFile.cube()));
                assertThat(agent.awaitExit()).isTrue();
            }
            Set<Kind> ends = Set.of(Kind.jobCompleted, Kind.jobFailed);
            try (ChildAgent _ = ChildAgent.start(api, data, "")) {
                Eventually.until(
                        "the printer is given up",
                        () -> api.kinds(jobId).stream().anyMatch(ends::contains),
                        api::events);
            }
            assertThat(api.events())
                    .filteredOn(event -> ends.contains(event.kind()))
                    .singleElement()
                    .satisfies(event -> assertThat(event.message()).contains("check the bed"));
        }
    }

    private void begin(FakeApi api, PrinterFixture printer, String jobId, String step) throws Exception {
        api.serve(printer.printer());
        try (ChildAgent agent = ChildAgent.start(api, data, step)) {
            Eventually.until(
                    "the printer is idle",
                    () -> "idle".equals(api.status(PrinterFixture.DEVICE)),
                    () -> api.state(PrinterFixture.DEVICE));
            api.command(PrinterFixture.DEVICE, api.print(jobId, 1, PrintFile.cube()));
            if (step.equals(ENDED)) {
                finish(api, printer, () -> true);
            }
            assertThat(agent.awaitExit()).as("the agent dies at " + step).isTrue();
        }
    }

    private static void finish(FakeApi api, PrinterFixture printer, BooleanSupplier when) {
        Set<String> busy = Set.of("preparing", "printing");
        Eventually.until(
                "it prints",
                () -> when.getAsBoolean() && busy.contains(api.status(PrinterFixture.DEVICE)),
                api::events);
        printer.log().fail("finished");
    }

    private static boolean isSeenAgain(FakeApi api) {
        return api.events().stream()
                        .filter(event -> event.kind() == Kind.printerOnline)
                        .count()
                >= 2;
    }
}
