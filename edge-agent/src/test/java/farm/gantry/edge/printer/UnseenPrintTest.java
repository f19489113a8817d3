package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.FakeApi;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.SimulatorLog;
import farm.gantry.edge.file.FileCache;
import farm.gantry.edge.file.FileDownload;
import farm.gantry.edge.file.FilesOnPrinters;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.provider.Providers;
import farm.gantry.edge.time.AwakeClock;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.simulator.klipper.MoonrakerSimulator;
import farm.gantry.simulator.printer.SimulationSpeed;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest.Event;
import farm.gantry.wire.LinkRequest.Kind;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Prints that a person starts at a printer of each make, while the agent observes it and while it does not. */
@Execution(ExecutionMode.CONCURRENT)
class UnseenPrintTest {
    private static final String FILE = "somebodys.gcode";
    private static final int LAYERS = 300;
    private static final Duration GRACE = Duration.ofMinutes(1);
    /** The time after which a print that never began fails. */
    private static final Duration SHORT_GRACE = Duration.ofSeconds(2);

    private static final Duration SHORT = Duration.ofSeconds(20);
    private static final Duration LONG_GAP = Duration.ofMinutes(3);

    private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);
    private final InstantSource clock = () -> Instant.now().plus(later.get());

    @TempDir
    Path data;

    @ParameterizedTest
    @FieldSource("farm.gantry.edge.PrinterFixture#MAKES")
    void foreignPrintIsReportedAtItsStartAndEnd(Printer.Provider make) throws Exception {
        try (PrinterFixture fixture = fixture(make);
                Journal journal = journal();
                PrinterFleet farm = farm(journal, fixture.printer())) {
            seen(farm, journal, 1);
            fixture.log().fail("started-at-screen");
            Eventually.until(
                    "its begin is reported", () -> changes(journal).size() == 1, () -> journal.undeliveredEvents(100));
            fixture.log().fail("cancelled-at-screen");
            Eventually.until(
                    "its end is reported", () -> changes(journal).size() == 2, () -> journal.undeliveredEvents(100));
            assertThat(changes(journal).getFirst().message()).contains("is printing " + FILE);
            assertThat(changes(journal).getLast().message()).contains(FILE).contains("has ended");
        }
    }

    @ParameterizedTest
    @FieldSource("farm.gantry.edge.PrinterFixture#MAKES")
    void printDuringDowntimeIsReportedBeforeThePrinterIsOnline(Printer.Provider make) throws Exception {
        try (PrinterFixture fixture = fixture(make);
                Journal journal = journal()) {
            try (PrinterFleet farm = farm(journal, fixture.printer())) {
                seen(farm, journal, 1);
            }
            later.set(LONG_GAP);
            fixture.log().fail("started-at-screen");
            fixture.log().fail("finished");
            try (PrinterFleet farm = farm(journal, fixture.printer())) {
                seen(farm, journal, 2);
                assertThat(journal.undeliveredEvents(100))
                        .extracting(Event::kind)
                        .as("but for a first look that a busy machine gave up")
                        .filteredOn(kind -> kind != Kind.printerOffline)
                        .containsExactly(Kind.printerOnline, Kind.printerChanged, Kind.printerOnline);
            }
        }
    }

    @ParameterizedTest
    @FieldSource("farm.gantry.edge.PrinterFixture#MAKES")
    void idlePrinterIsNotReportedAfterAShortDowntime(Printer.Provider make) throws Exception {
        try (PrinterFixture fixture = fixture(make)) {
            assertThat(changesAfter(SHORT, fixture)).isEmpty();
        }
    }

    /** Only a printer that counts its prints can prove that it made none. */
    @ParameterizedTest
    @FieldSource("farm.gantry.edge.PrinterFixture#MAKES")
    void longDowntimeIsReportedUnlessThePrinterCountsItsPrints(Printer.Provider make) throws Exception {
        try (PrinterFixture fixture = fixture(make)) {
            boolean counts = Providers.of(fixture.printer()).abilities().contains(Provider.Ability.PRINT_COUNTER);
            assertThat(changesAfter(LONG_GAP, fixture)).hasSize(counts ? 0 : 1);
        }
    }

    /** Returns the reported changes of a printer that was idle during an agent downtime of this length. */
    private List<Event> changesAfter(Duration away, PrinterFixture fixture) throws Exception {
        try (Journal journal = journal()) {
            try (PrinterFleet farm = farm(journal, fixture.printer())) {
                seen(farm, journal, 1);
            }
            later.set(away);
            try (PrinterFleet farm = farm(journal, fixture.printer())) {
                seen(farm, journal, 2);
            }
            return changes(journal);
        }
    }

    @ParameterizedTest
    @FieldSource("farm.gantry.edge.PrinterFixture#MAKES")
    void lostStartIsReportedAsNotBegunIfThePrinterCountsItsPrints(Printer.Provider make) throws Exception {
        try (FakeApi api = new FakeApi();
                PrinterFixture fixture = fixture(make);
                Journal journal = journal();
                PrinterFleet farm = farm(journal, fixture.printer(), SHORT_GRACE)) {
            boolean counts = Providers.of(fixture.printer()).abilities().contains(Provider.Ability.PRINT_COUNTER);
            seen(farm, journal, 1);
            fixture.log().fail("start-unheard");
            take(farm, api.print("j1", 1, PrintFile.cube()));
            Kind end = counts ? Kind.jobNotBegun : Kind.jobFailed;
            Eventually.until(
                    "it is reported as " + end,
                    () -> kinds(journal).contains(end),
                    () -> journal.undeliveredEvents(100));
            assertThat(kinds(journal)).doesNotContain(Kind.jobStarted, Kind.jobRefused);
            assertThat(fixture.log().starts()).isEmpty();
        }
    }

    /** If the job timed out, Klipper would print it after it was assigned to another printer. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void startBlockedByAKlipperScriptDoesNotTimeOut(boolean restarted) throws Exception {
        try (FakeApi api = new FakeApi();
                PrinterFixture fixture = fixture(Printer.Provider.firmwareK);
                Journal journal = journal()) {
            PrinterFleet farm = farm(journal, fixture.printer(), SHORT_GRACE);
            try {
                seen(farm, journal, 1);
                fixture.log().fail("script-before-start");
                take(farm, api.print("j1", 1, PrintFile.lasting()));
                Eventually.until("it waits", () -> fixture.log().waiting() == 1);
                if (restarted) {
                    farm.close();
                    farm = farm(journal, fixture.printer(), SHORT_GRACE);
                } else {
                    fixture.log().fail("disconnect");
                }
                Duration given = AwakeClock.CLOCK.now().plus(SHORT_GRACE.multipliedBy(3));
                Eventually.until(
                        "the printer is asked, and waited for",
                        () -> (fixture.log().waiting() > 1
                                        && AwakeClock.CLOCK.now().compareTo(given) > 0)
                                || kinds(journal).contains(Kind.jobFailed));
                fixture.log().fail("script-over");
                Eventually.until(
                        "its begin is reported",
                        () -> kinds(journal).contains(Kind.jobStarted)
                                || kinds(journal).contains(Kind.jobFailed));
                assertThat(kinds(journal)).contains(Kind.jobStarted).doesNotContain(Kind.jobFailed);
            } finally {
                farm.close();
            }
            assertThat(fixture.log().starts()).hasSize(1);
        }
    }

    @ParameterizedTest
    @FieldSource("farm.gantry.edge.PrinterFixture#MAKES")
    void pauseDuringHeatingIsCarriedOut(Printer.Provider make) throws Exception {
        try (FakeApi api = new FakeApi();
                PrinterFixture fixture = fixture(make);
                Journal journal = journal();
                PrinterFleet farm = farm(journal, fixture.printer())) {
            seen(farm, journal, 1);
            fixture.log().fail("bed-unplugged");
            take(farm, api.print("j1", 1, PrintFile.lasting()));
            Eventually.until(
                    "it heats",
                    () -> kinds(journal).contains(Kind.jobStarted) && status(farm) == Status.preparing,
                    farm::states);
            Command pause = new Command(
                    "c-pause", PrinterFixture.DEVICE, clock.instant().plusSeconds(300), new Command.Pause("j1", 1));
            farm.applyCommands(List.of(pause), _ -> {});
            fixture.log().fail("bed-plugged-in");
            Eventually.until("it is paused", () -> kinds(journal).contains(Kind.jobPaused), farm::states);
        }
    }

    @ParameterizedTest
    @FieldSource("farm.gantry.edge.PrinterFixture#MAKES")
    void printDecidedBeforeTheBedWasUsedIsRefused(Printer.Provider make) throws Exception {
        try (FakeApi api = new FakeApi();
                PrinterFixture fixture = fixture(make);
                Journal journal = journal();
                PrinterFleet farm = farm(journal, fixture.printer())) {
            seen(farm, journal, 1);
            long knownSequence = journal.lastSequence();
            fixture.log().fail("started-at-screen");
            Eventually.until("its begin is reported", () -> changes(journal).size() == 1);
            fixture.log().fail("finished");
            Eventually.until(
                    "its end is reported", () -> changes(journal).size() == 2, () -> journal.undeliveredEvents(100));
            take(farm, decidedAt(knownSequence, api.print("j1", 1, PrintFile.cube())));
            Eventually.until("it is refused", () -> kinds(journal).contains(Kind.jobRefused));
            assertThat(journal.undeliveredEvents(100))
                    .filteredOn(event -> event.kind() == Kind.jobRefused)
                    .extracting(Event::message)
                    .containsExactly(RefusalReason.BED_USED);
            assertThat(fixture.log().uploads()).isEmpty();
        }
    }

    @Test
    void printAtTheScreenIsReportedBeforeTheUnobservedEndOfTheJob() throws Exception {
        try (FakeApi api = new FakeApi();
                MoonrakerSimulator moonraker = new MoonrakerSimulator(0, new SimulationSpeed(60, 60_000.0), null);
                Journal journal = journal()) {
            PrinterConfig printer = FakeApi.firmwareK(PrinterFixture.DEVICE, moonraker.port(), null);
            SimulatorLog log = new SimulatorLog(moonraker.port());
            try (PrinterFleet farm = farm(journal, printer)) {
                seen(farm, journal, 1);
                log.fail("started-at-screen");
                Eventually.until("its begin is reported", () -> changes(journal).size() == 1);
                log.fail("finished");
                Eventually.until("its end is reported", () -> changes(journal).size() == 2);
                take(farm, api.print("j1", 1, PrintFile.lasting()));
                Eventually.until("the job has begun", () -> kinds(journal).contains(Kind.jobStarted));
            }
            log.fail("finished");
            log.call("/printer/print/start?filename=" + FILE);
            try (PrinterFleet _ = farm(journal, printer)) {
                Eventually.until("its end is reported", () -> kinds(journal).contains(Kind.jobCompleted));
                List<Kind> reported = kinds(journal);
                assertThat(reported.get(reported.indexOf(Kind.jobCompleted) - 1))
                        .as("what the API hears before it hears of the end")
                        .isEqualTo(Kind.printerChanged);
            }
        }
    }

    /** Klipper continues the print, while Moonraker's history shows it as interrupted forever. */
    @Test
    void printContinuesWhileMoonrakerIsRestarted() throws Exception {
        try (FakeApi api = new FakeApi();
                PrinterFixture fixture = fixture(Printer.Provider.firmwareK);
                Journal journal = journal();
                PrinterFleet farm = farm(journal, fixture.printer())) {
            seen(farm, journal, 1);
            take(farm, api.print("j1", 1, PrintFile.lasting()));
            Eventually.until("it prints", () -> status(farm) == Status.printing, farm::states);
            fixture.log().fail("moonraker-restarted");
            Eventually.until("nothing is known of it", () -> status(farm) == Status.unknown, farm::states);
            fixture.log().recover();
            Eventually.until(
                    "it prints on", () -> status(farm) == Status.printing, () -> journal.undeliveredEvents(100));
            fixture.log().fail("finished");
            Eventually.until("its end is reported", () -> kinds(journal).contains(Kind.jobCompleted));
            assertThat(kinds(journal)).doesNotContain(Kind.jobFailed, Kind.printerChanged);
        }
    }

    private static @Nullable Status status(PrinterFleet farm) {
        PrinterState state = farm.states().get(PrinterFixture.DEVICE);
        return state == null ? null : state.status();
    }

    /** Some printers start their last file when they are switched on. */
    @Test
    void fileIsRemovedAfterThePrintIfThePrinterMayReplayIt() throws Exception {
        try (FakeApi api = new FakeApi();
                PrinterFixture fixture = fixture(Printer.Provider.vendorA);
                Journal journal = journal()) {
            try (PrinterFleet farm = farm(journal, fixture.printer())) {
                seen(farm, journal, 1);
                take(farm, api.print("j1", 1, PrintFile.cube()));
                Eventually.until("it prints", () -> status(farm) == Status.printing, farm::states);
                fixture.log().fail("finished");
                Eventually.until("its file is gone", () -> fixture.log().files().isEmpty(), farm::states);
                take(farm, api.print("j2", 1, PrintFile.cube()));
                Eventually.until("it prints", () -> status(farm) == Status.printing, farm::states);
                fixture.log().fail("card-locked");
                fixture.log().fail("finished");
                Eventually.until("it is over", () -> Collections.frequency(kinds(journal), Kind.jobCompleted) == 2);
            }
            assertThat(fixture.log().files()).hasSize(1);
            fixture.log().recover();
            try (PrinterFleet farm = farm(journal, fixture.printer())) {
                Eventually.until("its file is gone", () -> fixture.log().files().isEmpty(), farm::states);
            }
        }
    }

    /** A printer that hung may begin its pending print when it is switched on again. */
    @Test
    void printThatBeginsAfterItsTimeoutIsStopped() throws Exception {
        try (FakeApi api = new FakeApi();
                PrinterFixture fixture = fixture(Printer.Provider.vendorA);
                Journal journal = journal();
                PrinterFleet farm = farm(journal, fixture.printer(), Duration.ofMillis(100))) {
            seen(farm, journal, 1);
            fixture.log().fail("parsing");
            take(farm, api.print("j1", 1, PrintFile.cube()));
            Eventually.until("the printer is given up", () -> kinds(journal).contains(Kind.jobFailed), farm::states);
            fixture.log().recover();
            Eventually.until("it is stopped", () -> status(farm) == Status.cancelled, farm::states);
            assertThat(changes(journal)).extracting(Event::message).anyMatch(message -> message.contains("is stopped"));
        }
    }

    /**
     * OctoPrint and PrusaLink report a file position or a height; the agent finds the layer in its copy of the file.
     */
    @ParameterizedTest
    @EnumSource(
            value = Printer.Provider.class,
            names = {"vendorB", "vendorP"})
    void layersAreDerivedFromTheUploadedFileAfterARestart(Printer.Provider make) throws Exception {
        try (FakeApi api = new FakeApi();
                PrinterFixture fixture = fixture(make);
                Journal journal = journal()) {
            try (PrinterFleet farm = farm(journal, fixture.printer())) {
                seen(farm, journal, 1);
                take(farm, api.print("j1", 1, layered()));
                Eventually.until("a layer is reported", () -> layer(farm) > 0, farm::states);
            }
            try (PrinterFleet farm = farm(journal, fixture.printer())) {
                Eventually.until("a layer is reported again", () -> layer(farm) > 1, farm::states);
                assertThat(farm.states().get(PrinterFixture.DEVICE))
                        .extracting("job.totalLayers")
                        .isEqualTo(LAYERS);
            }
        }
    }

    private static int layer(PrinterFleet farm) {
        PrinterState state = farm.states().get(PrinterFixture.DEVICE);
        PrinterState.Progress job = state == null ? null : state.job();
        return job == null || job.currentLayer() == null ? 0 : job.currentLayer();
    }

    /** Returns a file whose print takes a minute, so that a slow machine observes it in both runs of the agent. */
    private static PrintFile layered() {
        StringBuilder text = new StringBuilder(PrintFile.cube().text().replace("= 2m 0s", "= 1h 0m 0s"));
        for (int layer = 1; layer <= LAYERS; layer++) {
            text.append(";LAYER_CHANGE\n;Z:%.1f\nG1 X1 E1\n".formatted(layer * 0.2));
        }
        return new PrintFile("layers.gcode", text.toString());
    }

    private void take(PrinterFleet farm, Command.Print print) {
        Command command = new Command(
                "c-" + print.jobId(), PrinterFixture.DEVICE, clock.instant().plusSeconds(300), print);
        farm.applyCommands(List.of(command), _ -> {});
    }

    private static Command.Print decidedAt(long knownSequence, Command.Print print) {
        return new Command.Print(
                print.jobId(),
                print.attempt(),
                print.fileName(),
                print.url(),
                print.size(),
                print.sha256(),
                null,
                null,
                print.taskId(),
                null,
                null,
                null,
                knownSequence);
    }

    private static List<Kind> kinds(Journal journal) {
        return journal.undeliveredEvents(100).stream().map(Event::kind).toList();
    }

    private static PrinterFixture fixture(Printer.Provider make) {
        return PrinterFixture.of(make, new SimulationSpeed(60, 60_000.0));
    }

    private Journal journal() throws Exception {
        return Journal.open(data.resolve("journal"), clock);
    }

    private PrinterFleet farm(Journal journal, PrinterConfig printer) throws Exception {
        return farm(journal, printer, GRACE);
    }

    private PrinterFleet farm(Journal journal, PrinterConfig printer, Duration grace) throws Exception {
        FileCache cache =
                new FileCache(data.resolve("cache"), 1 << 20, new FileDownload(HttpClient.newHttpClient()), clock);
        PrinterFleet farm = new PrinterFleet(
                config -> Providers.of(config).withDataFolder(data),
                journal,
                cache,
                FilesOnPrinters.load(data),
                grace,
                new SilentReporter(),
                clock);
        farm.serve(List.of(printer));
        return farm;
    }

    private record SilentReporter() implements PrinterReporter {
        @Override
        public void statusReceived() {}

        @Override
        public void stateChanged(String deviceId, PrinterState state) {}

        @Override
        public void eventsRecorded() {}
    }

    private static void seen(PrinterFleet farm, Journal journal, int times) {
        Eventually.until(
                "it is online",
                () -> journal.undeliveredEvents(100).stream()
                                        .filter(event -> event.kind() == Kind.printerOnline)
                                        .count()
                                == times
                        && journal.lastObservation(PrinterFixture.DEVICE).isPresent(),
                farm::states);
    }

    private static List<Event> changes(Journal journal) {
        return journal.undeliveredEvents(100).stream()
                .filter(event -> event.kind() == Kind.printerChanged)
                .toList();
    }
}
