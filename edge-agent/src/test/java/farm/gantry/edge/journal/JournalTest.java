package farm.gantry.edge.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import farm.gantry.edge.journal.Journal.StartDecision;
import farm.gantry.edge.time.ServerClock;
import farm.gantry.edge.time.Uptime;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest;
import farm.gantry.wire.LinkRequest.Event;
import farm.gantry.wire.LinkRequest.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    private static final NewEvent ONLINE = new NewEvent("k1", Kind.printerOnline, null, null, null, null, null);

    private static final Instant EXPIRY = Instant.parse("2100-01-01T00:00:00Z");

    private static final JournalEntry.LastObservation SEEN =
            new JournalEntry.LastObservation("k1", "a.gcode", true, "7", Instant.EPOCH);

    private static final Job OLD =
            new Job("k1", Instant.parse("2026-11-20T10:10:00Z"), job("j1", 1).print(), "gantry-j1-1-a.gcode");

    private final AtomicReference<Duration> wrong = new AtomicReference<>(Duration.ZERO);
    private final InstantSource clock = () -> Instant.now().plus(wrong.get());

    @TempDir
    Path folder;

    @Test
    void writtenEntriesAreRestoredWhenTheJournalIsReopened() throws Exception {
        Job job = job("j1", 3);
        try (Journal journal = Journal.open(file(), clock)) {
            journal.write(
                    List.of(new JournalEntry.CommandAccepted("c1", Instant.now()), new JournalEntry.PrintAccepted(job)),
                    List.of());
            journal.write(List.of(new JournalEntry.JobStepReached("j1", 3, JobStep.start_sent)), List.of(ONLINE));
            journal.write(List.of(new JournalEntry.Pausing("j1", 3, true)), List.of());
            journal.write(List.of(new JournalEntry.Cancelling("j1", 3)), List.of());
        }
        try (Journal journal = Journal.open(file(), clock)) {
            assertThat(journal.isKnownCommand("c1")).isTrue();
            assertThat(journal.latestAttempt("j1")).isEqualTo(3);
            assertThat(journal.jobsOn("k1")).containsExactly(new ActiveJob(job, JobStep.start_sent, true, true));
            assertThat(journal.undeliveredEvents(10)).extracting(Event::kind).containsExactly(Kind.printerOnline);
        }
    }

    @Test
    void eventsOfARestoredCopyAreRenumberedAboveTheApisLastSequence() throws Exception {
        NewEvent changed = new NewEvent("k1", Kind.printerChanged, null, null, null, null, null);
        long known;
        try (Journal journal = Journal.open(file(), clock)) {
            journal.write(List.of(), List.of(ONLINE, changed, ONLINE));
            known = journal.lastSequence() + Duration.ofDays(1).toMillis();
            journal.renumber(known);
            journal.dropDelivered(known);
            assertRenumbered(journal, known);
            journal.write(List.of(), List.of(ONLINE));
        }
        try (Journal journal = Journal.open(file(), clock)) {
            assertRenumbered(journal, known);
            assertThat(journal.undeliveredEvents(10))
                    .extracting(Event::sequence)
                    .isSorted()
                    .doesNotHaveDuplicates();
            assertThat(journal.isBedUsedSince("k1", known)).isTrue();
            journal.dropDelivered(known + 2);
            assertThat(journal.isBedUsedSince("k1", known + 2)).isFalse();
        }
    }

    private static void assertRenumbered(Journal journal, long known) {
        assertThat(journal.undeliveredEvents(3))
                .extracting(Event::kind)
                .containsExactly(Kind.printerOnline, Kind.printerChanged, Kind.printerOnline);
        assertThat(journal.undeliveredEvents(10)).allMatch(event -> event.sequence() > known);
    }

    @Test
    void truncatedLastLineIsDroppedAndWritingContinues() throws Exception {
        try (Journal journal = Journal.open(file(), clock)) {
            journal.write(List.of(new JournalEntry.CommandAccepted("c1", Instant.now())), List.of());
        }
        Files.writeString(file(), "[{\"is\":\"taken\",\"comm", StandardOpenOption.APPEND);
        try (Journal journal = Journal.open(file(), clock)) {
            journal.write(List.of(new JournalEntry.CommandAccepted("c2", Instant.now())), List.of());
        }
        try (Journal journal = Journal.open(file(), clock)) {
            assertThat(journal.isKnownCommand("c1")).isTrue();
            assertThat(journal.isKnownCommand("c2")).isTrue();
        }
    }

    @Test
    void startOfAJobHasTheTimesOfItsPreparation() throws Exception {
        NewEvent started = new NewEvent("k1", Kind.jobStarted, "j1", 1, null, null, null);
        Instant before = Instant.now();
        try (Journal journal = Journal.open(file(), clock)) {
            journal.write(List.of(new JournalEntry.PrintAccepted(job("j1", 1))), List.of());
            wrong.set(Duration.ofSeconds(10));
            journal.write(List.of(new JournalEntry.JobStepReached("j1", 1, JobStep.downloaded)), List.of());
            wrong.set(Duration.ofSeconds(30));
            journal.write(List.of(new JournalEntry.JobStepReached("j1", 1, JobStep.uploaded)), List.of());
            wrong.set(Duration.ofSeconds(90));
            journal.write(List.of(new JournalEntry.JobStepReached("j1", 1, JobStep.start_sent)), List.of());
            journal.write(List.of(new JournalEntry.JobStepReached("j1", 1, JobStep.started)), List.of(started));
            LinkRequest.Preparation times = Objects.requireNonNull(
                    journal.undeliveredEvents(1).getFirst().preparation());
            assertThat(times.acceptedAt()).isBetween(before, before.plusSeconds(5));
            assertThat(times.downloadedAt()).isBetween(before.plusSeconds(10), before.plusSeconds(15));
            assertThat(times.uploadedAt()).isBetween(before.plusSeconds(30), before.plusSeconds(35));
        }
        try (Journal journal = Journal.open(file(), clock)) {
            journal.write(List.of(), List.of(started));
            assertThat(journal.undeliveredEvents(2).getLast().preparation())
                    .as("of a restarted agent")
                    .isNull();
        }
    }

    @Test
    void jobIsStartedOnceAndItsStepNeverGoesBack() throws Exception {
        Job job = job("j1", 1);
        try (Journal journal = Journal.open(file(), clock)) {
            assertThat(journal.mayStart(job)).isEqualTo(StartDecision.GRANTED_BEFORE);
            journal.write(List.of(new JournalEntry.PrintAccepted(job)), List.of());
            assertThat(journal.mayStart(job)).isEqualTo(StartDecision.GRANTED);
            journal.write(List.of(new JournalEntry.JobStepReached("j1", 1, JobStep.uploaded)), List.of());
        }
        try (Journal journal = Journal.open(file(), clock)) {
            assertThat(journal.mayStart(job)).isEqualTo(StartDecision.GRANTED_BEFORE);
            assertThat(journal.jobsOn("k1")).extracting(ActiveJob::step).containsExactly(JobStep.start_sent);
        }
    }

    @Test
    void eventSequenceIncreasesAndStartsAtTheCurrentTime() throws Exception {
        long before = System.currentTimeMillis();
        try (Journal journal = Journal.open(file(), clock)) {
            journal.write(List.of(), List.of(ONLINE, ONLINE, ONLINE));
            List<Event> events = journal.undeliveredEvents(10);
            assertThat(events)
                    .extracting(Event::sequence)
                    .doesNotHaveDuplicates()
                    .isSorted();
            assertThat(events.getFirst().sequence()).isGreaterThanOrEqualTo(before);
            journal.dropDelivered(events.get(1).sequence());
            assertThat(journal.undeliveredEvents(10)).containsExactly(events.get(2));
        }
    }

    @Test
    void eventsStayInOrderWhenTheClockIsSetBackOrForward() throws Exception {
        try (Journal journal = Journal.open(file(), clock)) {
            for (Duration jump : List.of(Duration.ZERO, Duration.ofDays(1), Duration.ofHours(-1), Duration.ZERO)) {
                wrong.set(jump);
                journal.write(List.of(), List.of(ONLINE));
            }
            assertThat(journal.undeliveredEvents(10))
                    .extracting(Event::sequence)
                    .hasSize(4)
                    .doesNotHaveDuplicates()
                    .isSorted();
        }
        try (Journal journal = Journal.open(file(), clock)) {
            assertThat(journal.undeliveredEvents(10)).extracting(Event::at).isNotEmpty();
            long last = journal.lastSequence();
            journal.write(List.of(), List.of(ONLINE));
            assertThat(journal.lastSequence()).isGreaterThan(last);
        }
    }

    @Test
    void flappingPrinterDoesNotFillTheDiskWhileTheApiIsUnreachable() throws Exception {
        NewEvent error = new NewEvent("k2", Kind.printerError, null, null, "hot", null, null);
        NewEvent ended = new NewEvent("k1", Kind.jobCompleted, "j1", 1, null, null, null);
        try (Journal journal = Journal.open(file(), clock)) {
            journal.write(List.of(), List.of(error, ended));
            for (int i = 0; i < 11; i++) {
                journal.write(List.of(), Collections.nCopies(1_000, ONLINE));
            }
            assertThat(journal.undeliveredEvents(30_000)).hasSize(10_000);
        }
        try (Journal journal = Journal.open(file(), clock)) {
            List<Event> events = journal.undeliveredEvents(30_000);
            assertThat(events).hasSize(10_000);
            assertThat(events.subList(0, 2)).extracting(Event::kind).containsExactly(error.kind(), ended.kind());
            assertThat(events.getLast().sequence()).isEqualTo(journal.lastSequence());
        }
    }

    @Test
    void compactionKeepsActiveJobsAndUndeliveredEvents() throws Exception {
        long last;
        try (Journal journal = Journal.open(file(), clock, 10)) {
            journal.write(List.of(new JournalEntry.PrintAccepted(job("old", 7))), List.of());
            journal.write(List.of(new JournalEntry.JobStepReached("old", 7, JobStep.ended)), List.of());
            journal.write(List.of(new JournalEntry.PrintAccepted(job("live", 1))), List.of());
            journal.write(List.of(new JournalEntry.Pausing("live", 1, true)), List.of());
            journal.write(List.of(new JournalEntry.JobStepReached("live", 1, JobStep.started)), List.of());
            for (int i = 0; i < 100; i++) {
                journal.write(List.of(), List.of(ONLINE));
                journal.dropDelivered(journal.lastSequence());
            }
            journal.write(List.of(SEEN), List.of(ONLINE));
            last = journal.lastSequence();
        }
        assertThat(Files.readAllLines(file())).hasSizeLessThan(60);
        try (Journal journal = Journal.open(file(), clock)) {
            assertThat(journal.latestAttempt("old")).isEqualTo(7);
            assertThat(journal.jobsOn("k1"))
                    .containsExactly(new ActiveJob(job("live", 1), JobStep.started, false, true));
            assertThat(journal.undeliveredEvents(10)).hasSize(1);
            assertThat(journal.lastSequence()).isEqualTo(last);
            assertThat(journal.lastObservation("k1")).contains(SEEN);
        }
    }

    /** A nearly full disk may have room for one more line but not for the new file of a compaction. */
    @Test
    void writingContinuesIfCompactionFails() throws Exception {
        Path fresh = Files.createDirectory(file().resolveSibling("journal.new"));
        try (Journal journal = Journal.open(file(), clock, 10)) {
            for (int i = 0; i < 30; i++) {
                journal.write(List.of(), List.of(ONLINE));
                journal.dropDelivered(journal.lastSequence());
            }
            journal.write(List.of(), List.of(ONLINE));
        }
        assertThat(fresh).doesNotExist();
        try (Journal journal = Journal.open(file(), clock)) {
            assertThat(journal.undeliveredEvents(10)).hasSize(1);
        }
    }

    @Test
    void fileNameContainsJobAndAttemptAndOnlySafeCharacters() {
        Command.Print print = new Command.Print(
                "j1", 2, "../Mötor Block.gcode.3mf", "u", 1, "0", null, null, 1, null, null, null, null);
        Job job = Job.of(new Command("c", "k1", Instant.EPOCH, print), print);
        assertThat(job.fileName()).isEqualTo("gantry-j1-2-m_tor_block.gcode");
    }

    @Test
    void printDecidedBeforeTheBedWasUsedIsRefusedAfterARestart() throws Exception {
        NewEvent changed = new NewEvent("k1", Kind.printerChanged, null, null, null, null, null);
        long knownSequence;
        try (Journal journal = Journal.open(file(), clock, 10)) {
            journal.write(List.of(), List.of(ONLINE));
            knownSequence = journal.lastSequence();
            assertThat(journal.isBedUsedSince("k1", knownSequence)).isFalse();
            journal.write(List.of(), List.of(changed, ONLINE));
            for (int i = 0; i < 50; i++) {
                journal.write(List.of(), List.of(ONLINE));
                journal.dropDelivered(journal.lastSequence());
            }
        }
        try (Journal journal = Journal.open(file(), clock)) {
            Job early = job("j1", 1, knownSequence);
            Job late = job("j2", 1, journal.lastSequence());
            Job old = job("j3", 1);
            journal.write(
                    List.of(
                            new JournalEntry.PrintAccepted(early),
                            new JournalEntry.PrintAccepted(late),
                            new JournalEntry.PrintAccepted(old)),
                    List.of());
            assertThat(journal.mayStart(early)).isEqualTo(StartDecision.BED_USED);
            assertThat(journal.mayStart(late)).isEqualTo(StartDecision.GRANTED);
            assertThat(journal.mayStart(old)).as("of an API that does not say").isEqualTo(StartDecision.GRANTED);
        }
    }

    @Test
    void jobBeingCancelledIsNotStarted() throws Exception {
        Job job = job("j1", 1);
        try (Journal journal = Journal.open(file(), clock)) {
            journal.write(
                    List.of(new JournalEntry.PrintAccepted(job), new JournalEntry.Cancelling("j1", 1)), List.of());
            assertThat(journal.mayStart(job)).isEqualTo(StartDecision.CANCELLED);
        }
    }

    @Test
    void jobIsNotStartedAfterApiSilenceUntilANewRequestIsAnswered() throws Exception {
        Job job = job("j1", 1);
        Duration before = Duration.ofHours(3);
        Duration after = before.plusSeconds(61);
        AtomicReference<Duration> uptime = new AtomicReference<>(before);
        try (Journal journal = Journal.open(file(), clock, uptime::get)) {
            journal.write(List.of(new JournalEntry.PrintAccepted(job)), List.of());
            uptime.set(after);
            assertThat(journal.mayStart(job)).isEqualTo(StartDecision.API_SILENT);
            journal.recordAnswer(before);
            assertThat(journal.mayStart(job)).as("by an answer from before").isEqualTo(StartDecision.API_SILENT);
            journal.recordAnswer(after);
            journal.recordAnswer(before);
            assertThat(journal.mayStart(job)).isEqualTo(StartDecision.GRANTED);
        }
    }

    @Test
    void jobStartsWhileASlowLongPollIsPending() throws Exception {
        Job job = job("j1", 1);
        AtomicReference<Duration> uptime = new AtomicReference<>(Duration.ZERO);
        try (Journal journal = Journal.open(file(), clock, uptime::get)) {
            journal.write(List.of(new JournalEntry.PrintAccepted(job)), List.of());
            uptime.set(Duration.ofSeconds(20 + 1 + 20 + 15));
            assertThat(journal.mayStart(job)).isEqualTo(StartDecision.GRANTED);
        }
    }

    @Test
    void supersededProcessStartsNoJobUntilTheApiAnswersIt() throws Exception {
        Job job = job("j1", 1);
        try (Journal journal = Journal.open(file(), clock)) {
            journal.write(List.of(new JournalEntry.PrintAccepted(job)), List.of());
            journal.recordSuperseded();
            assertThat(journal.isApiSilent()).isTrue();
            assertThat(journal.mayStart(job)).isEqualTo(StartDecision.API_SILENT);
            journal.recordAnswer(Uptime.withSleep());
            assertThat(journal.mayStart(job)).isEqualTo(StartDecision.GRANTED);
        }
    }

    @Test
    void answerToARequestBeforeSupersessionAllowsNoStart() throws Exception {
        AtomicReference<Duration> uptime = new AtomicReference<>(Duration.ZERO);
        try (Journal journal = Journal.open(file(), clock, uptime::get)) {
            uptime.set(Duration.ofSeconds(20));
            journal.recordSuperseded();
            journal.recordAnswer(Duration.ofSeconds(19));
            assertThat(journal.isApiSilent()).isTrue();
            journal.recordAnswer(Duration.ofSeconds(21));
            assertThat(journal.isApiSilent()).isFalse();
        }
    }

    @Test
    void expiredJobIsNotStarted() throws Exception {
        Job job = job("j1", 1);
        try (Journal journal = Journal.open(file(), clock)) {
            journal.write(List.of(new JournalEntry.PrintAccepted(job)), List.of());
            wrong.set(Duration.ofDays(40_000));
            assertThat(journal.mayStart(job)).isEqualTo(StartDecision.EXPIRED);
            wrong.set(Duration.ZERO);
            assertThat(journal.mayStart(job)).isEqualTo(StartDecision.GRANTED);
        }
    }

    @Test
    void eventsWrittenBeforeClockSyncGetTheCorrectedTime() throws Exception {
        Instant right = Instant.now();
        ServerClock late = new ServerClock(() -> Instant.EPOCH);
        try (Journal journal = Journal.open(file(), late)) {
            journal.write(List.of(), List.of(ONLINE, ONLINE));
            assertThat(journal.lastSequence()).isEqualTo(2);
            late.adjust(late.instant(), right);
            journal.write(List.of(), List.of(ONLINE));
            assertThat(journal.undeliveredEvents(10))
                    .hasSize(3)
                    .allSatisfy(event -> assertThat(event.at()).isCloseTo(right, within(1, ChronoUnit.MINUTES)));
            assertThat(journal.lastSequence()).isGreaterThanOrEqualTo(right.toEpochMilli());
        }
    }

    @Test
    void unsyncedClockDoesNotNumberEvents() throws Exception {
        ServerClock early = new ServerClock(() -> Instant.now().plus(Duration.ofDays(30_000)));
        try (Journal journal = Journal.open(file(), early)) {
            journal.write(List.of(), List.of(ONLINE));
            assertThat(journal.lastSequence()).isEqualTo(1);
        }
    }

    @Test
    void unsyncedClockExpiresNoEntries() throws Exception {
        ServerClock early = new ServerClock(() -> Instant.now().plus(Duration.ofDays(30_000)));
        try (Journal journal = Journal.open(file(), clock)) {
            journal.write(
                    List.of(
                            new JournalEntry.CommandAccepted("c1", Instant.now()),
                            new JournalEntry.PrintAccepted(job("j1", 3))),
                    List.of());
        }
        try (Journal journal = Journal.open(file(), early, 10)) {
            journal.write(List.of(new JournalEntry.JobStepReached("j1", 3, JobStep.ended)), List.of());
            for (int i = 0; i < 100; i++) {
                journal.write(List.of(), List.of(ONLINE));
                journal.dropDelivered(journal.lastSequence());
            }
        }
        assertThat(Files.readAllLines(file())).hasSizeLessThan(60);
        try (Journal journal = Journal.open(file(), clock)) {
            assertThat(journal.isKnownCommand("c1")).isTrue();
            assertThat(journal.latestAttempt("j1")).isEqualTo(3);
        }
    }

    /** Attempts are kept for weeks after their job, even if the clock was wrong at the start. */
    @Test
    void clockThatStartedInThePastExpiresNoAttempts() throws Exception {
        ServerClock late = new ServerClock(() -> Instant.EPOCH);
        try (Journal journal = Journal.open(file(), clock)) {
            journal.write(List.of(new JournalEntry.PrintAccepted(job("j1", 3))), List.of());
        }
        try (Journal journal = Journal.open(file(), late, 10)) {
            late.adjust(late.instant(), Instant.now());
            journal.write(List.of(new JournalEntry.JobStepReached("j1", 3, JobStep.ended)), List.of());
            for (int i = 0; i < 100; i++) {
                journal.write(List.of(), List.of(ONLINE));
                journal.dropDelivered(journal.lastSequence());
            }
        }
        assertThat(Files.readAllLines(file())).hasSizeLessThan(60);
        try (Journal journal = Journal.open(file(), clock)) {
            assertThat(journal.latestAttempt("j1")).isEqualTo(3);
        }
    }

    @Test
    void bedCountsAsUsedOnlyIfTheStartWasSent() throws Exception {
        try (Journal journal = Journal.open(file(), clock)) {
            for (JobStep step : List.of(JobStep.uploaded, JobStep.start_sent, JobStep.started)) {
                Job job = job("j-" + step, 1);
                journal.write(List.of(new JournalEntry.PrintAccepted(job)), List.of());
                long knownSequence = journal.lastSequence();
                journal.write(List.of(new JournalEntry.JobStepReached(job.jobId(), 1, step)), List.of());
                journal.write(
                        List.of(new JournalEntry.JobStepReached(job.jobId(), 1, JobStep.ended)),
                        List.of(new NewEvent("k1", Kind.jobFailed, job.jobId(), 1, null, null, null)));
                assertThat(journal.isBedUsedSince("k1", knownSequence))
                        .as(step.name())
                        .isEqualTo(step != JobStep.uploaded);
            }
        }
    }

    /** The previous version wrote neither print counters nor the times of observations. */
    @Test
    void journalOfThePreviousVersionIsRead() throws Exception {
        Files.writeString(file(), """
                [{"is":"seen","deviceId":"k1","fileName":"a.gcode","busy":true}]
                [{"is":"taken","commandId":"c1","at":"2026-11-20T10:00:00Z"},{"is":"asked","job":{"deviceId":"k1",\
                "expiresAt":"2026-11-20T10:10:00Z","fileName":"gantry-j1-1-a.gcode","print":{"jobId":"j1","attempt":1,\
                "fileName":"a.gcode","url":"u","size":1,"sha256":"0","taskId":1}}}]
                [{"is":"reached","jobId":"j1","attempt":1,"step":"started"},{"is":"event","event":{"sequence":7,\
                "at":"2026-11-20T10:00:00Z","deviceId":"k1","kind":"jobStarted","jobId":"j1","attempt":1}}]
                """);
        try (Journal journal = Journal.open(file(), clock)) {
            assertThat(journal.isKnownCommand("c1")).isTrue();
            assertThat(journal.jobsOn("k1")).containsExactly(new ActiveJob(OLD, JobStep.started, false, false));
            assertThat(journal.lastObservation("k1"))
                    .contains(new JournalEntry.LastObservation("k1", "a.gcode", true, null, null));
            assertThat(journal.undeliveredEvents(10)).extracting(Event::kind).containsExactly(Kind.jobStarted);
        }
    }

    private Path file() {
        return folder.resolve("journal");
    }

    private static Job job(String jobId, int attempt) {
        return job(jobId, attempt, null);
    }

    private static Job job(String jobId, int attempt, @Nullable Long knownSequence) {
        Command.Print print = new Command.Print(
                jobId, attempt, "a.gcode", "u", 1, "0", null, null, 1, null, null, null, knownSequence);
        return Job.of(new Command("c", "k1", EXPIRY, print), print);
    }
}
