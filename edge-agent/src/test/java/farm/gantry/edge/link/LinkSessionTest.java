package farm.gantry.edge.link;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Eventually;
import farm.gantry.edge.FakeApi;
import farm.gantry.edge.PrintFile;
import farm.gantry.edge.SimulatorLog;
import farm.gantry.edge.file.FileCache;
import farm.gantry.edge.file.FileDownload;
import farm.gantry.edge.file.FilesOnPrinters;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.printer.PrinterFleet;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.provider.Providers;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.simulator.klipper.MoonrakerSimulator;
import farm.gantry.simulator.printer.SimulationSpeed;
import farm.gantry.version.ProductVersion;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest;
import farm.gantry.wire.LinkRequest.Ack;
import farm.gantry.wire.LinkRequest.Event;
import farm.gantry.wire.LinkRequest.Kind;
import farm.gantry.wire.LinkRequest.Outcome;
import farm.gantry.wire.LinkResponse.SnapshotRequest;
import farm.gantry.wire.SnapshotUpload;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the agent with an API and a printer in one process, on a clock that is a day ahead. */
@Execution(ExecutionMode.CONCURRENT)
class LinkSessionTest {
    private final FakeApi api = new FakeApi();
    private final MoonrakerSimulator printer = new MoonrakerSimulator(0, new SimulationSpeed(60, null), null);
    private final SimulatorLog log = new SimulatorLog(printer.port());
    private final Path data;
    private final Journal journal;
    private final PrinterFleet farm;
    private final LinkSession session;
    private final SnapshotUploads snapshots;

    LinkSessionTest(@TempDir Path data) throws IOException {
        this.data = data;
        ApiClient reached = ApiClient.create(api.address(), Clock.offset(Clock.systemUTC(), Duration.ofDays(1)));
        ReportQueue outbox = new ReportQueue();
        this.journal = Journal.open(data.resolve("journal"), reached.clock());
        FileCache cache =
                new FileCache(data.resolve("cache"), 1 << 20, new FileDownload(reached.http()), reached.clock());
        this.farm = new PrinterFleet(
                Providers::of,
                journal,
                cache,
                FilesOnPrinters.load(data),
                Duration.ofMinutes(1),
                outbox,
                reached.clock());
        Uplink uplink = new HttpsUplink(reached, FakeApi.TOKEN);
        this.snapshots = new SnapshotUploads(reached, FakeApi.TOKEN, farm);
        this.session = new LinkSession(
                uplink,
                reached.clock(),
                outbox,
                journal,
                farm,
                new SavedPrinterList(data),
                snapshots,
                AgentInstance.register(data),
                address -> address);
    }

    @BeforeEach
    void connect() {
        api.serve(FakeApi.firmwareK("k1", printer.port(), null));
        session.start();
        Eventually.until("the printer is idle", () -> "idle".equals(api.status("k1")));
    }

    @AfterEach
    void close() throws IOException {
        session.close();
        snapshots.close();
        farm.close();
        journal.close();
        printer.close();
        api.close();
    }

    @Test
    void requestedSnapshotsAreUploaded() throws Exception {
        api.requestSnapshot(new SnapshotRequest("k1", 32, 4));
        api.requestSnapshot(new SnapshotRequest("nobody", 320, 4));
        Eventually.until("both are reported", () -> api.snapshots().size() >= 2, api::snapshots);
        SnapshotUpload shown = snapshot("k1");
        BufferedImage image =
                ImageIO.read(new ByteArrayInputStream(Base64.getDecoder().decode(shown.image())));
        assertThat(image.getWidth()).isEqualTo(32);
        assertThat(snapshot("nobody").fault()).contains("does not serve");
        assertThat(api.snapshots()).as("each once in five seconds").hasSize(2);
    }

    @Test
    void agentSaysWhatToUpgradeWhenTheServersVersionIsFarFromItsOwn() {
        assertThat(session.versionMismatch())
                .as("an older server sends no version")
                .isEmpty();
        api.setVersion("%d.%d.0".formatted(ProductVersion.CURRENT.major(), ProductVersion.CURRENT.minor() + 1));
        exchange();
        assertThat(session.versionMismatch()).as("a neighbouring minor version").isEmpty();
        api.setVersion("99.0.0");
        exchange();
        assertThat(session.versionMismatch())
                .contains("the server's version is 99.0.0 and the agent's " + ProductVersion.CURRENT
                        + ", which may not work together: upgrade the agent");
        assertThat(session.status().connected()).isTrue();
        api.setVersion("0.9.0");
        exchange();
        assertThat(session.versionMismatch().orElseThrow()).endsWith("upgrade the server");
    }

    /** Makes the agent send an event, and waits for the response. */
    private void exchange() {
        int before = api.events().size();
        log.fail("offline");
        Eventually.until(
                "it is reported", () -> api.events().size() > before && journal.countUndelivered() == 0, api::events);
        int after = api.events().size();
        log.recover();
        Eventually.until(
                "so is the return", () -> api.events().size() > after && journal.countUndelivered() == 0, api::events);
    }

    @Test
    void supersededAgentServesNoPrintersAndReturnsUnstartedJobs() throws Exception {
        FakeApi.BlockedAnswer poll = api.blockNextPoll();
        FakeApi.BlockedAnswer blocked = api.blockNextAnswer();
        api.command("k1", api.print("j1", 1, PrintFile.lasting()));
        poll.reached().await();
        log.fail("offline");
        blocked.reached().await();
        api.serveAnother(true);
        blocked.go().countDown();
        poll.go().countDown();
        Eventually.until(
                "it says why it serves none",
                () -> farm.configs().isEmpty() && session.status().reason().contains("another agent"),
                session::status);
        assertThat(journal.isApiSilent()).as("nothing may be started").isTrue();
        log.recover();
        api.serveAnother(false);
        Eventually.until(
                "it serves again",
                () -> "idle".equals(api.status("k1")) && !farm.configs().isEmpty());
        Eventually.until("the start is given back", () -> !api.kinds("j1").isEmpty());
        assertThat(api.kinds("j1")).containsExactly(Kind.jobRefused);
        assertThat(log.starts()).isEmpty();
    }

    @Test
    void supersededAgentRecoversFromAFullDisk() throws Exception {
        Command.Print print = api.print("j1", 1, PrintFile.cube());
        Command command = new Command("c1", "k1", Instant.now().plusSeconds(300), print);
        journal.write(List.of(new JournalEntry.PrintAccepted(Job.of(command, print))), List.of());
        Path file = data.resolve("journal");
        Path away = data.resolve("away");
        Files.move(file, away);
        api.serveAnother(true);
        api.requestSnapshot(new SnapshotRequest("nobody", 32, 4));
        Eventually.until("it serves none", () -> farm.configs().isEmpty(), session::status);
        Files.move(away, file);
        api.serveAnother(false);
        Eventually.until(
                "it serves again, and has given back what it had not begun",
                () -> session.status().connected() && api.kinds("j1").contains(Kind.jobRefused),
                api::events);
        assertThat(farm.configs()).hasSize(1);
    }

    /** The restored agent's sequence numbers are below those that the API already has. */
    @Test
    void eventsOfARestoredDataFolderAreNotLost() {
        api.hasEventsUpTo(journal.lastSequence() + Duration.ofDays(1).toMillis());
        log.fail("offline");
        Eventually.until(
                "the loss is reported",
                () -> api.events().getLast().kind() == Kind.printerOffline,
                () -> journal.undeliveredEvents(9));
        log.recover();
        Eventually.until(
                "so is what comes after it", () -> api.events().getLast().kind() == Kind.printerOnline, api::events);
    }

    @Test
    void otherConflictDoesNotStopServingPrinters() {
        api.conflict("conflict");
        api.requestSnapshot(new SnapshotRequest("nobody", 32, 4));
        Eventually.until("it is reported", () -> !session.status().connected());
        assertThat(session.status().reason()).contains("409").doesNotContain("another agent");
        assertThat(farm.configs()).hasSize(1);
    }

    /** A write to a hung disk holds the lock of the journal, as this test does. */
    @Test
    void emergencyStopIsCarriedOutWhenTheDiskDoesNotRespond() throws Exception {
        String command;
        synchronized (journal) {
            FakeApi.BlockedAnswer poll = api.blockNextPoll();
            command = api.command("k1", new Command.Send("gcode", Map.of("lines", "PUSH")));
            poll.reached().await();
            poll.go().countDown();
            api.command("k1", new Command.Send(PrinterConnection.EMERGENCY_STOP, Map.of()));
            Eventually.until("it is stopped", () -> log.state().equals("shutdown"), log::state);
            assertThat(journal.isKnownCommand(command)).isFalse();
        }
        Eventually.until(
                "the rest follows",
                () -> journal.isKnownCommand(command) && session.status().connected());
        api.serve(FakeApi.firmwareK("k1", printer.port(), null), FakeApi.firmwareK("k2", 1, null));
        Eventually.until("lists of printers are applied", () -> farm.configs().size() == 2, farm::configs);
    }

    @Test
    void emergencyStopIsCarriedOutOnAHungDiskWithoutLongPolling() throws Exception {
        api.pauseAfterAnswers(Duration.ofSeconds(3), Duration.ofSeconds(3));
        long before = api.requests().size();
        Eventually.until("the API is asked by the sender", () -> api.requests().size() > before + 2);
        synchronized (journal) {
            String command = api.command("k1", new Command.Send("gcode", Map.of("lines", "PUSH")));
            api.command("k1", new Command.Send(PrinterConnection.EMERGENCY_STOP, Map.of()));
            Eventually.until("it is stopped", () -> log.state().equals("shutdown"), log::state);
            assertThat(journal.isKnownCommand(command)).isFalse();
        }
    }

    @Test
    void noPrintStartsAfterTheSessionReportsItsEnd() throws Exception {
        FakeApi.BlockedAnswer lastAnswer = api.blockNextAnswer();
        Thread end = Thread.ofVirtual().start(session::end);
        Eventually.until("it tells of its end", this::isEndReported);
        assertThat(journal.isApiSilent()).as("nothing may be started").isTrue();
        lastAnswer.go().countDown();
        end.join();
    }

    private boolean isEndReported() {
        LinkRequest.Instance instance = api.requests().getLast().instance();
        return instance != null && instance.ended();
    }

    @Test
    void acceptedPrintIsAcknowledgedWhenTheSessionEnds() throws Exception {
        FakeApi.BlockedAnswer blocked = api.blockNextAnswer();
        log.fail("mcu-shutdown");
        blocked.reached().await();
        String command = print("j1", 1);
        Eventually.until("it is taken", () -> journal.isKnownCommand(command));
        session.end();
        assertThat(acked(command)).isEqualTo(Outcome.taken);
        blocked.go().countDown();
    }

    private SnapshotUpload snapshot(String deviceId) {
        return api.snapshots().stream()
                .filter(upload -> upload.deviceId().equals(deviceId))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void olderPrinterListDoesNotReplaceANewerOne() throws Exception {
        FakeApi.BlockedAnswer older = api.blockNextAnswer();
        log.fail("disconnect");
        Eventually.until("the older list is on its way", () -> older.reached().getCount() == 0);
        api.serve(FakeApi.firmwareK("k1", printer.port(), null), FakeApi.firmwareK("k2", 1, null));
        Eventually.until("both are served", () -> farm.configs().size() == 2, farm::configs);
        long sessions = sessions();
        older.go().countDown();
        Eventually.until("a new session is reported", () -> sessions() > sessions);
        Eventually.until("k2 is reported", () -> api.status("k2") != null, farm::configs);
        assertThat(farm.configs()).hasSize(2);
    }

    @Test
    void delayedAnswerDoesNotRunAnExpiredCommand() throws Exception {
        FakeApi.BlockedAnswer before = api.blockNextAnswer();
        log.fail("mcu-shutdown");
        before.reached().await();
        FakeApi.BlockedAnswer older = api.blockNextPoll();
        String command = api.command("k1", new Command.Send("gcode", Map.of("lines", "PUSH")));
        older.reached().await();
        api.expire(command);
        api.failOnce();
        before.go().countDown();
        log.recover();
        Eventually.until("it is withdrawn", () -> acked(command) == Outcome.expired);
        String later = api.requests().getLast().session();
        older.go().countDown();
        Eventually.until(
                "the older answer has come", () -> api.requests().stream().anyMatch(request -> isPoll(request, later)));
        assertThat(journal.isKnownCommand(command)).isFalse();
    }

    private static boolean isPoll(LinkRequest request, String session) {
        return request.session().equals(session)
                && request.reports().isEmpty()
                && request.events().isEmpty()
                && request.acks().isEmpty();
    }

    private long sessions() {
        return api.requests().stream().map(LinkRequest::session).distinct().count();
    }

    @Test
    void oneExchangeReportsAndPollsWithoutLongPolling() {
        api.pauseAfterAnswers(Duration.ofSeconds(3), Duration.ofSeconds(3));
        log.fail("mcu-shutdown");
        Eventually.until("the fault is known", () -> "error".equals(api.status("k1")));
        log.recover();
        Eventually.until("it is over", () -> "idle".equals(api.status("k1")));
        Instant before = Instant.now();
        int start = api.requests().size();
        String command = print("j1", 1);
        Eventually.until("it is taken", () -> acked(command) == Outcome.taken);
        Eventually.until("it is completed", () -> api.kinds("j1").contains(Kind.jobCompleted), () -> api.kinds("j1"));
        Eventually.until("it is seen finished", () -> "finished".equals(api.status("k1")));
        long pauses = Duration.between(before, Instant.now()).toSeconds() / 3 + 1;
        // One request each for the ack, the start and the end, and for each change of state around them.
        assertThat(api.requests().size() - start).isLessThanOrEqualTo((int) pauses + 8);
    }

    @Test
    void progressIsNotReportedWhileNobodyWatches() throws Exception {
        api.pauseAfterAnswers(Duration.ofMillis(2100), Duration.ofHours(1));
        api.command("k1", api.print("j1", 1, PrintFile.lasting()));
        Eventually.until("it prints", () -> "printing".equals(api.status("k1")));
        int printing = api.requests().size();
        Eventually.until(
                "it asks twice without telling anything",
                () -> since(printing).stream()
                                .filter(request -> request.reports().isEmpty())
                                .count()
                        >= 2);
        assertThat(since(printing).stream().flatMap(request -> request.reports().stream()))
                .as("reports about the job")
                .allSatisfy(report -> assertThat(report.state().containsKey("status")
                                || !report.state().containsKey("job"))
                        .isTrue());
    }

    private List<LinkRequest> since(int start) {
        List<LinkRequest> all = api.requests();
        return all.subList(start, all.size());
    }

    @Test
    void printIsAcceptedStartedReportedAndCompleted() throws Exception {
        Instant before = Instant.now();
        String commandId = print("j1", 1);
        Eventually.until("it is completed", () -> api.kinds("j1").contains(Kind.jobCompleted));
        assertThat(api.kinds("j1")).containsExactly(Kind.jobStarted, Kind.jobCompleted);
        assertThat(api.acks()).containsOnly(new Ack(commandId, Outcome.taken, null));
        assertThat(api.events().getLast().at())
                .as("by a clock that may be two seconds wrong")
                .isBetween(before.minusSeconds(2), Instant.now().plusSeconds(2));
        assertThat(new SavedPrinterList(data).read()).hasSize(1);
        Eventually.until("it is seen finished", () -> "finished".equals(api.status("k1")));
        assertThat(api.state("k1")).extracting("job").asString().contains("jobId=j1", "percent=100.0");
    }

    static List<Path> recordings() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../api-functions/src/test/resources/link"))) {
            return files.sorted().toList();
        }
    }

    /** {@code infra/local/record-link} records the messages. */
    @ParameterizedTest
    @MethodSource("recordings")
    void jobOfAServerOfAnEarlierVersionIsPrinted(Path recording) throws Exception {
        api.answerWith(Files.readAllLines(recording).stream()
                .filter(message -> message.startsWith("server "))
                .map(message -> message.substring("server ".length()))
                .toList());
        api.serve(FakeApi.firmwareK("k1", printer.port(), null));
        String command = print("j1", 1);
        Eventually.until("it is completed", () -> api.kinds("j1").contains(Kind.jobCompleted), api::events);
        assertThat(api.kinds("j1")).containsExactly(Kind.jobStarted, Kind.jobCompleted);
        assertThat(acked(command)).isEqualTo(Outcome.taken);
        Eventually.until("its events are acknowledged", () -> journal.countUndelivered() == 0);
    }

    @Test
    void printerChangeReachesTheApiWithinASecond() {
        List<Duration> delays = new ArrayList<>();
        Eventually.until(
                "a change is known so soon; the machine of the tests may be busy, but not each time",
                () -> {
                    Instant before = Instant.now();
                    log.fail("mcu-shutdown");
                    Eventually.until("the fault is known", () -> "error".equals(api.status("k1")));
                    delays.add(Duration.between(before, Instant.now()));
                    log.recover();
                    Eventually.until("it is over", () -> "idle".equals(api.status("k1")));
                    return Collections.min(delays).compareTo(Duration.ofSeconds(1)) < 0;
                },
                () -> delays);
    }

    @Test
    void filesOfEarlierJobsAreRemovedOnTheNextUpload() {
        for (String job : List.of("j1", "j2", "j3")) {
            print(job, 1);
            Eventually.until(job + " is completed", () -> api.kinds(job).contains(Kind.jobCompleted), api::events);
        }
        assertThat(log.files())
                .extracting(String::valueOf)
                .as("what the printer showed when the last came, and the last")
                .satisfiesExactlyInAnyOrder(
                        file -> assertThat(file).startsWith("gantry-j2-"),
                        file -> assertThat(file).startsWith("gantry-j3-"));
        assertThat(FilesOnPrinters.load(data).filesOf("k1")).hasSize(2);
    }

    @Test
    void olderAttemptIsRefusedAndARepeatedOneRunsOnce() {
        api.command("k1", api.print("j1", 2, PrintFile.lasting()));
        Eventually.until("it is started", () -> api.kinds("j1").contains(Kind.jobStarted));
        String older = print("j1", 1);
        String again = print("j1", 2);
        Eventually.until("both are answered", () -> acked(older) == Outcome.refused && acked(again) == Outcome.taken);
        log.fail("finished");
        Eventually.until("it is completed", () -> api.kinds("j1").contains(Kind.jobCompleted));
        assertThat(log.starts()).hasSize(1);
    }

    @Test
    void jobEndedByAnEmergencyStopIsReportedAsFailed() throws Exception {
        api.command("k1", api.print("j1", 1, PrintFile.lasting()));
        Eventually.until("it has begun", () -> api.kinds("j1").contains(Kind.jobStarted));
        api.command("k1", new Command.Send("emergency-stop", Map.of()));
        Eventually.until("it has failed", () -> api.kinds("j1").contains(Kind.jobFailed), api::events);
        assertThat(api.events())
                .filteredOn(event -> event.kind() == Kind.jobFailed)
                .extracting(Event::message)
                .containsExactly("emergency stop");
        api.command("k1", new Command.Send("firmware-restart", Map.of()));
        Eventually.until("it is well again", () -> "idle".equals(api.status("k1")), () -> api.state("k1"));
    }

    @Test
    void cancelRunsWithoutTheJournalAndIsAcknowledgedOnceWritten() throws Exception {
        Path file = data.resolve("journal");
        Path away = data.resolve("away");
        api.command("k1", api.print("j1", 1, PrintFile.lasting()));
        Eventually.until("it prints", () -> "printing".equals(api.status("k1")));
        Files.move(file, away);
        log.fail("filament-runout"); // cannot be journaled
        String start = print("j2", 1);
        String stop = api.command("k1", new Command.Cancel("j1", 1));
        Eventually.until("it is stopped", () -> log.state().equals("cancelled"), log::state);
        Eventually.until(
                "why nothing else is done is known", () -> !session.status().connected());
        assertThat(session.status().reason()).contains("cannot write");
        assertThat(api.acks()).extracting(Ack::commandId).doesNotContain(start, stop);
        api.expire(start);
        Files.move(away, file);
        Eventually.until("it is acknowledged", () -> acked(stop) == Outcome.taken, api::acks);
        Eventually.until("its end is reported", () -> api.kinds("j1").contains(Kind.jobCancelled), api::events);
        Eventually.until("everything continues", () -> session.status().connected(), session::status);
        assertThat(log.starts()).hasSize(1);
    }

    @Test
    void skippedObjectsAreExcludedFromThePrint() {
        Command.Print whole = api.print("j1", 1, PrintFile.cube());
        api.command(
                "k1",
                new Command.Print(
                        "j1",
                        1,
                        whole.fileName(),
                        whole.url(),
                        whole.size(),
                        whole.sha256(),
                        null,
                        null,
                        1,
                        null,
                        null,
                        List.of("Body1_id_0", "Lid 2"),
                        null));
        Eventually.until(
                "the printer leaves them out",
                () -> log.scripts().containsAll(List.of("EXCLUDE_OBJECT NAME=Body1_id_0", "EXCLUDE_OBJECT NAME=Lid_2")),
                log::scripts);
        assertThat(log.starts()).hasSize(1);
    }

    @Test
    void expiredCommandIsNotCarriedOut() {
        Command.Print print = api.print("j1", 1, PrintFile.cube());
        String commandId = api.command("k1", Instant.now().minusSeconds(60), print);
        Eventually.until("it is answered", () -> acked(commandId) == Outcome.expired);
        assertThat(log.starts()).isEmpty();
    }

    @Test
    void printForABusyPrinterIsRefused() {
        api.command("k1", api.print("j1", 1, PrintFile.lasting()));
        Eventually.until("it is started", () -> api.kinds("j1").contains(Kind.jobStarted));
        print("j2", 1);
        Eventually.until("the second is refused", () -> api.kinds("j2").contains(Kind.jobRefused));
        assertThat(log.starts()).hasSize(1);
    }

    @Test
    void jobIsCancelledDuringItsDownloadAndIfItIsUnknown() {
        Command.Print good = api.print("j1", 1, PrintFile.cube());
        String otherHash = PrintFile.sha256(new byte[0]);
        api.command(
                "k1",
                new Command.Print("j1", 1, "a", good.url() + "x", 3, otherHash, null, null, 1, null, null, null, null));
        api.command("k1", new Command.Cancel("unknown", 4));
        Eventually.until(
                "the unknown job is cancelled", () -> api.kinds("unknown").contains(Kind.jobCancelled));
        assertThat(api.kinds("unknown")).containsExactly(Kind.jobCancelled);
        api.command("k1", new Command.Cancel("j1", 1));
        Eventually.until("it is over", () -> api.kinds("j1").contains(Kind.jobCancelled));
        assertThat(log.starts()).isEmpty();
    }

    @Test
    void printCancelledInTheSameAnswerIsNotStarted() {
        synchronized (api) {
            print("j1", 1);
            api.command("k1", new Command.Cancel("j1", 1));
        }
        Eventually.until("it is cancelled", () -> api.kinds("j1").contains(Kind.jobCancelled));
        assertThat(api.events())
                .filteredOn(event -> "j1".equals(event.jobId()))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.kind()).isEqualTo(Kind.jobCancelled);
                    assertThat(event.message()).contains("not on this printer");
                });
        assertThat(log.uploads()).isEmpty();
    }

    @Test
    void runningJobIsPausedResumedAndCancelled() {
        api.command("k1", api.print("j1", 1, PrintFile.lasting()));
        Eventually.until("it is started", () -> api.kinds("j1").contains(Kind.jobStarted));
        api.command("k1", new Command.Pause("j1", 1));
        Eventually.until("it is paused", () -> api.kinds("j1").contains(Kind.jobPaused));
        api.command("k1", new Command.Resume("j1", 1));
        Eventually.until("it continues", () -> api.kinds("j1").contains(Kind.jobResumed));
        api.command("k1", new Command.Cancel("j1", 1));
        Eventually.until("it is cancelled", () -> api.kinds("j1").contains(Kind.jobCancelled));
        assertThat(api.kinds("j1"))
                .containsExactly(Kind.jobStarted, Kind.jobPaused, Kind.jobResumed, Kind.jobCancelled);
    }

    @Test
    void printContinuesWithoutTheApiAndEventsFollowInOrder() throws Exception {
        api.command("k1", api.print("j1", 1, PrintFile.lasting()));
        Eventually.until("it is started", () -> api.kinds("j1").contains(Kind.jobStarted));
        api.goDown();
        Eventually.until("it is missed", () -> !session.status().connected());
        log.fail("finished");
        Eventually.until(
                "it ends meanwhile",
                () -> journal.undeliveredEvents(10).stream().anyMatch(event -> event.kind() == Kind.jobCompleted));
        api.comeBack();
        Eventually.until("its end is reported", () -> api.kinds("j1").contains(Kind.jobCompleted));
        assertThat(api.kinds("j1")).containsExactly(Kind.jobStarted, Kind.jobCompleted);
        assertThat(api.events()).extracting(Event::sequence).isSorted().doesNotHaveDuplicates();
        Eventually.until(
                "nothing is kept longer than needed",
                () -> journal.undeliveredEvents(1).isEmpty());
        assertThat(api.requests().getLast().session())
                .isNotEqualTo(api.requests().getFirst().session());
    }

    @Test
    void printStartedAtThePrinterIsReportedAsAChange() throws Exception {
        print("j1", 1);
        Eventually.until("it is completed", () -> api.kinds("j1").contains(Kind.jobCompleted));
        log.call("/printer/print/start?filename=" + log.starts().getFirst());
        Eventually.until(
                "the change is reported",
                () -> api.events().stream().anyMatch(event -> event.kind() == Kind.printerChanged));
    }

    @Test
    void unreachablePrinterIsReportedOfflineAndThenOnline() {
        log.fail("offline");
        Eventually.until("it is offline", () -> "offline".equals(api.status("k1")));
        log.recover();
        Eventually.until("it is back", () -> "idle".equals(api.status("k1")));
        assertThat(api.events())
                .extracting(Event::kind)
                .containsExactly(Kind.printerOnline, Kind.printerOffline, Kind.printerOnline);
    }

    @Test
    void revokedAgentReportsTheReasonAndPrintsContinue() {
        api.command("k1", api.print("j1", 1, PrintFile.lasting()));
        Eventually.until("it is started", () -> api.kinds("j1").contains(Kind.jobStarted));
        api.revoke();
        log.fail("finished");
        Eventually.until(
                "its end is written down",
                () -> journal.undeliveredEvents(10).stream().anyMatch(event -> event.kind() == Kind.jobCompleted));
        Eventually.until("it is logged", () -> session.status().reason().contains("pair it again"));
        assertThat(session.status().connected()).isFalse();
        assertThat(farm.states().get("k1")).extracting(PrinterState::status).isEqualTo(Status.finished);
    }

    @Test
    void commandOutcomeIsReportedWithItsCommandId() {
        Eventually.until("it is seen", () -> Status.idle.name().equals(api.status("k1")));
        api.command("k1", new Command.Send("gcode", Map.of("lines", "G28")));
        api.command("k1", new Command.Send("fly", Map.of()));
        Eventually.until(
                "both are reported",
                () -> count(Kind.commandDone) == 1 && count(Kind.commandFailed) == 1,
                () -> api.events() + " " + api.acks());
    }

    @Test
    void commandDecidedBeforeTheBedWasUsedIsNotCarriedOut() {
        print("j1", 1);
        Eventually.until("it is completed", () -> api.kinds("j1").contains(Kind.jobCompleted));
        long completed = api.events().stream()
                .filter(event -> event.kind() == Kind.jobCompleted)
                .findFirst()
                .orElseThrow()
                .sequence();
        api.command("k1", new Command.Send("gcode", Map.of("lines", "PUSH_EARLY"), completed - 1));
        api.command("k1", new Command.Send("gcode", Map.of("lines", "PUSH"), completed));
        Eventually.until(
                "both are reported",
                () -> count(Kind.commandDone) == 1 && count(Kind.commandFailed) == 1,
                () -> api.events() + " " + api.acks());
        assertThat(log.scripts().toString()).contains("PUSH").doesNotContain("PUSH_EARLY");
    }

    private long count(Kind kind) {
        return api.events().stream()
                .filter(event -> event.kind() == kind && event.commandId() != null)
                .count();
    }

    private @Nullable Outcome acked(String commandId) {
        return api.acks().stream()
                .filter(ack -> ack.commandId().equals(commandId))
                .map(Ack::outcome)
                .findFirst()
                .orElse(null);
    }

    private String print(String jobId, int attempt) {
        return api.command("k1", api.print(jobId, attempt, PrintFile.cube()));
    }
}
