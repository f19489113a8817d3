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
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.journal.NewEvent;
import farm.gantry.edge.link.ReportQueue;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.printer.connection.ScriptedPrinter;
import farm.gantry.edge.provider.Providers;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.simulator.klipper.MoonrakerSimulator;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest.Ack;
import farm.gantry.wire.LinkRequest.Kind;
import farm.gantry.wire.LinkRequest.Outcome;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PrinterFleetTest {
    private static PrinterFleet fleet(Path data, Journal journal, InstantSource clock) throws IOException {
        return fleet(data, journal, clock, Providers::of);
    }

    private static PrinterFleet fleet(
            Path data, Journal journal, InstantSource clock, Function<PrinterConfig, Provider> providers)
            throws IOException {
        FileCache cache = new FileCache(data.resolve("cache"), 1 << 20, new FileDownload(PrinterHttp.client()), clock);
        return new PrinterFleet(
                providers, journal, cache, FilesOnPrinters.load(data), Duration.ofSeconds(2), new ReportQueue(), clock);
    }

    @ParameterizedTest
    @EnumSource(
            value = Printer.Provider.class,
            names = {"firmwareK", "vendorB"})
    void emergencyStopIsSentOnceWithoutWaitingForTheJournal(Printer.Provider make, @TempDir Path data)
            throws Exception {
        InstantSource clock = InstantSource.system();
        try (PrinterFixture fixture = PrinterFixture.of(make, PrinterFixture.QUICK);
                Journal journal = Journal.open(data.resolve("journal"), clock);
                PrinterFleet printers = fleet(data, journal, clock)) {
            printers.serve(List.of(fixture.printer()));
            Eventually.until(
                    "it is online",
                    () -> journal.undeliveredEvents(10).stream().anyMatch(event -> event.kind() == Kind.printerOnline));
            Command stop = new Command(
                    "c1",
                    PrinterFixture.DEVICE,
                    clock.instant().plusSeconds(300),
                    new Command.Send(PrinterConnection.EMERGENCY_STOP, Map.of()));
            synchronized (journal) {
                Thread sender = Thread.ofPlatform().start(() -> printers.sendEmergencyStops(List.of(stop)));
                sender.join();
                Eventually.until(
                        "it is stopped",
                        () -> isShutDown(fixture),
                        () -> fixture.log().state());
                printers.sendEmergencyStops(List.of(stop));
            }
            printers.applyCommands(List.of(stop), _ -> {});
            printers.sendEmergencyStops(List.of(stop));
            Eventually.until(
                    "its outcome is reported",
                    () -> journal.undeliveredEvents(20).stream().anyMatch(event -> event.kind() == Kind.commandDone));
            assertThat(journal.undeliveredEvents(20))
                    .filteredOn(event -> event.kind() == Kind.commandDone)
                    .hasSize(1);
        }
    }

    private static boolean isShutDown(PrinterFixture fixture) {
        return fixture.log().state().equals("shutdown");
    }

    @Test
    void closedFleetServesNoPrinters(@TempDir Path data) throws Exception {
        InstantSource clock = InstantSource.system();
        try (Journal journal = Journal.open(data.resolve("journal"), clock)) {
            PrinterFleet printers = fleet(data, journal, clock);
            printers.close();

            printers.serve(List.of(FakeApi.firmwareK("k1", 1, null)));

            assertThat(printers.configs()).isEmpty();
        }
    }

    @Test
    void unstartedJobDoesNotMoveToTheReplacementMachine(@TempDir Path data) throws Exception {
        InstantSource clock = InstantSource.system();
        try (FakeApi api = new FakeApi();
                MoonrakerSimulator other = new MoonrakerSimulator(0, PrinterFixture.QUICK, null);
                Journal journal = Journal.open(data.resolve("journal"), clock);
                PrinterFleet printers = fleet(data, journal, clock)) {
            Command.Print print = api.print("j1", 1, PrintFile.cube());
            Command command = new Command("c1", "k1", clock.instant().plusSeconds(300), print);
            journal.write(List.of(new JournalEntry.PrintAccepted(Job.of(command, print))), List.of());
            printers.serve(List.of(FakeApi.firmwareK("k1", 1, null)));

            printers.serve(List.of(FakeApi.firmwareK("k1", other.port(), null)));

            Eventually.until(
                    "it is given back",
                    () -> journal.undeliveredEvents(100).stream().anyMatch(event -> event.kind() == Kind.jobRefused),
                    () -> journal.undeliveredEvents(100));
            Eventually.until(
                    "the other machine is seen",
                    () -> journal.undeliveredEvents(100).stream().anyMatch(event -> event.kind() == Kind.printerOnline),
                    () -> journal.undeliveredEvents(100));
            assertThat(journal.jobsOn("k1")).isEmpty();
            assertThat(new SimulatorLog(other.port()).starts()).isEmpty();
        }
    }

    @Test
    void repeatedCommandForAnEndedAttemptIsRefused(@TempDir Path data) throws Exception {
        InstantSource clock = InstantSource.system();
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(data.resolve("journal"), clock);
                PrinterFleet printers = fleet(data, journal, clock)) {
            Command.Print print = api.print("j1", 1, PrintFile.cube());
            Command first = new Command("c1", "k1", clock.instant().plusSeconds(300), print);
            Command again = new Command("c2", "k1", clock.instant().plusSeconds(300), print);
            journal.write(
                    List.of(
                            new JournalEntry.PrintAccepted(Job.of(first, print)),
                            new JournalEntry.JobStepReached("j1", 1, JobStep.ended)),
                    List.of());
            List<Ack> acks = new ArrayList<>();
            printers.applyCommands(List.of(again), acks::add);
            assertThat(acks).extracting(Ack::outcome).containsExactly(Outcome.refused);
        }
    }

    @Test
    void repeatedCommandIsRefusedOnceItsEndWasDelivered(@TempDir Path data) throws Exception {
        InstantSource clock = InstantSource.system();
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(data.resolve("journal"), clock);
                PrinterFleet printers = fleet(data, journal, clock)) {
            Command.Print print = api.print("j1", 1, PrintFile.cube());
            Command command = new Command("c1", "k1", clock.instant().plusSeconds(300), print);
            List<Ack> acks = new ArrayList<>();
            journal.write(
                    List.of(
                            new JournalEntry.CommandAccepted("c1", clock.instant()),
                            new JournalEntry.PrintAccepted(Job.of(command, print))),
                    List.of());
            printers.applyCommands(List.of(command), acks::add);
            journal.write(
                    List.of(new JournalEntry.JobStepReached("j1", 1, JobStep.ended)),
                    List.of(new NewEvent("k1", Kind.jobCompleted, "j1", 1, null, null, null)));
            printers.applyCommands(List.of(command), acks::add);
            journal.dropDelivered(journal.lastSequence());
            printers.applyCommands(List.of(command), acks::add);
            assertThat(acks).extracting(Ack::outcome).containsExactly(Outcome.taken, Outcome.taken, Outcome.refused);
        }
    }

    /** A restored database sends the same attempt again under another command ID. */
    @Test
    void repeatedAttemptIsAcknowledgedUntilItsEndIsDelivered(@TempDir Path data) throws Exception {
        InstantSource clock = InstantSource.system();
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(data.resolve("journal"), clock);
                PrinterFleet printers = fleet(data, journal, clock)) {
            Instant later = clock.instant().plusSeconds(300);
            Command.Print print = api.print("j1", 1, PrintFile.cube());
            List<Ack> acks = new ArrayList<>();
            journal.write(
                    List.of(new JournalEntry.PrintAccepted(Job.of(new Command("c1", "k1", later, print), print))),
                    List.of());
            printers.applyCommands(List.of(new Command("c2", "k1", Instant.EPOCH, print)), acks::add);
            journal.write(
                    List.of(new JournalEntry.JobStepReached("j1", 1, JobStep.ended)),
                    List.of(new NewEvent("k1", Kind.jobCompleted, "j1", 1, null, null, null)));
            printers.applyCommands(
                    List.of(new Command("c3", "k1", later, print), new Command("c4", "k1", Instant.EPOCH, print)),
                    acks::add);
            assertThat(acks).extracting(Ack::outcome).containsOnly(Outcome.taken);
            journal.dropDelivered(journal.lastSequence());
            printers.applyCommands(List.of(new Command("c5", "k1", later, print)), acks::add);
            assertThat(acks.getLast().outcome()).isEqualTo(Outcome.refused);
        }
    }

    @Test
    void expiredOrCancelledAttemptIsRefusedAfterARestart(@TempDir Path data) throws Exception {
        InstantSource clock = InstantSource.system();
        List<Ack> acks = new ArrayList<>();
        try (FakeApi api = new FakeApi()) {
            Instant later = clock.instant().plusSeconds(300);
            Command.Print withdrawn = api.print("j1", 1, PrintFile.cube());
            Command.Print cancelled = api.print("j2", 3, PrintFile.cube());
            try (Journal journal = Journal.open(data.resolve("journal"), clock);
                    PrinterFleet printers = fleet(data, journal, clock)) {
                printers.serve(List.of(FakeApi.firmwareK("k1", 1, null)));
                printers.applyCommands(
                        List.of(
                                new Command("c1", "k1", Instant.EPOCH, withdrawn),
                                new Command("c2", "k1", later, new Command.Cancel("j2", 3))),
                        acks::add);
            }
            try (Journal journal = Journal.open(data.resolve("journal"), clock);
                    PrinterFleet printers = fleet(data, journal, clock)) {
                printers.serve(List.of(FakeApi.firmwareK("k1", 1, null)));
                journal.dropDelivered(journal.lastSequence());
                printers.applyCommands(
                        List.of(
                                new Command("c1", "k1", later, withdrawn),
                                new Command("c3", "k1", later, cancelled),
                                new Command("c4", "k1", later, api.print("j2", 4, PrintFile.cube()))),
                        acks::add);
            }
        }
        assertThat(acks)
                .extracting(Ack::outcome)
                .containsExactly(Outcome.expired, Outcome.taken, Outcome.refused, Outcome.refused, Outcome.taken);
    }

    @Test
    void attemptThatRunsOnAnotherPrinterIsRefused(@TempDir Path data) throws Exception {
        InstantSource clock = InstantSource.system();
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(data.resolve("journal"), clock);
                PrinterFleet printers = fleet(data, journal, clock)) {
            Command.Print print = api.print("j1", 1, PrintFile.cube());
            Command there = new Command("c1", "k1", clock.instant().plusSeconds(300), print);
            journal.write(
                    List.of(
                            new JournalEntry.PrintAccepted(Job.of(there, print)),
                            new JournalEntry.JobStepReached("j1", 1, JobStep.started)),
                    List.of());
            printers.serve(List.of(FakeApi.firmwareK("k1", 1, null), FakeApi.firmwareK("k2", 2, null)));
            List<Ack> acks = new ArrayList<>();
            printers.applyCommands(
                    List.of(new Command("c2", "k1", clock.instant().plusSeconds(300), print)), acks::add);
            printers.applyCommands(
                    List.of(new Command("c3", "k2", clock.instant().plusSeconds(300), print)), acks::add);
            assertThat(acks).extracting(Ack::outcome).containsExactly(Outcome.taken, Outcome.refused);
        }
    }

    @Test
    void machineRegisteredTwiceReceivesNoPrints(@TempDir Path data) throws Exception {
        InstantSource clock = InstantSource.system();
        try (FakeApi api = new FakeApi();
                Journal journal = Journal.open(data.resolve("journal"), clock);
                PrinterFleet printers = fleet(data, journal, clock)) {
            PrinterConfig one = FakeApi.firmwareK("k1", 1, "key");
            PrinterConfig same = FakeApi.firmwareK("k2", 1, null);
            PrinterConfig other = FakeApi.firmwareK("k3", 2, null);
            List<Ack> acks = new ArrayList<>();
            printers.serve(List.of(one, same, other));
            for (String device : List.of("k1", "k2", "k3")) {
                Command.Print print = api.print("job of " + device, 1, PrintFile.cube());
                printers.applyCommands(
                        List.of(new Command(
                                "print at " + device, device, clock.instant().plusSeconds(300), print)),
                        acks::add);
            }
            assertThat(acks).extracting(Ack::outcome).containsExactly(Outcome.refused, Outcome.refused, Outcome.taken);
            assertThat(acks.getFirst().message()).contains("printer k2 is the same machine, registered twice");

            printers.serve(List.of(one, other));
            Command.Print print = api.print("job", 1, PrintFile.cube());
            printers.applyCommands(
                    List.of(new Command("c", "k1", clock.instant().plusSeconds(300), print)), acks::add);
            assertThat(acks.getLast().outcome()).isEqualTo(Outcome.taken);
        }
    }

    @Test
    void disconnectAndReconnectAreLoggedOnceEach(@TempDir Path data) throws Exception {
        InstantSource clock = InstantSource.system();
        ScriptedPrinter printer = new ScriptedPrinter();
        PrinterConfig config = FakeApi.firmwareK("lost-and-found", 1, null);
        try (CapturedLog log = CapturedLog.of(PrinterStateMachine.class, config.name());
                Journal journal = Journal.open(data.resolve("journal"), clock);
                PrinterFleet printers = fleet(data, journal, clock, _ -> printer)) {
            printers.serve(List.of(config));
            PrinterStatus idle = ScriptedPrinter.reading(Status.idle, null, "");
            for (int i = 1; i <= 2; i++) {
                int times = i;
                printer.showsAfterGap(idle);
                Eventually.until("it is there", () -> count(journal, Kind.printerOnline) == times);
                for (int tries = 0; tries < 3; tries++) {
                    printer.isLost();
                    Eventually.until("it is lost", () -> count(journal, Kind.printerOffline) == times);
                }
            }
            printer.showsAfterGap(idle);
            Eventually.until("it is there", () -> count(journal, Kind.printerOnline) == 3);
            Eventually.until("that is logged", () -> log.lines().size() >= 4, log::lines);
            String lost = "WARN lost-and-found: connection lost, reconnecting: it does not answer";
            String back = "INFO lost-and-found: online again";
            assertThat(log.lines()).containsExactly(lost, back, lost, back);
        }
    }

    private static long count(Journal journal, Kind kind) {
        return journal.undeliveredEvents(100).stream()
                .filter(event -> event.kind() == kind)
                .count();
    }
}
