package farm.gantry.edge.journal;

import farm.gantry.RecordBuilder;
import farm.gantry.edge.time.ServerClock;
import farm.gantry.edge.time.Uptime;
import farm.gantry.json.Json;
import farm.gantry.wire.LinkRequest;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent's write-ahead log: an append-only file that is synced before {@link #write} returns. A line is a list of
 * entries that are applied atomically. An incomplete last line was never acknowledged and is removed. Events are
 * retained until the API has them. Only if a printer disconnects and reconnects endlessly while the API is unreachable,
 * the oldest of these events are dropped.
 */
public final class Journal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
    private static final int LINES_BEFORE_COMPACTION = 2_000;
    /**
     * The maximum age of the last API response for a job to be started. It is longer than the interval between two
     * exchanges of an agent with a job, and shorter than the silence after which the API serves another agent process.
     */
    private static final Duration MAX_SILENCE = Duration.ofSeconds(60);

    private final Path file;
    private final int linesBeforeCompaction;
    private final InstantSource clock;
    private final Supplier<Duration> uptime;
    private final JournalState ledger;
    /** Entries that are applied already but could not be written. They are written before all others. */
    private final List<JournalEntry> unwritten = new ArrayList<>();

    private final AtomicInteger lines = new AtomicInteger();
    private final Map<LinkRequest.Kind, Long> recordedCounts = new EnumMap<>(LinkRequest.Kind.class);
    /** The uptime at which this run recorded events before the clock was known, by their sequence numbers. */
    private final TreeMap<Long, Duration> undatedEvents = new TreeMap<>();

    /** The times of active jobs before their start, by job and attempt, since the agent started. */
    private final Map<String, LinkRequest.Preparation> preparations = new HashMap<>();

    /** The uptime, including sleep, at which the request for the API's latest response was sent. */
    private volatile Duration answeredAt;

    /** The uptime at which the API refused this process; null once it has answered a later request. */
    private volatile @Nullable Duration supersededAt;

    private volatile FileOutputStream stream;

    private Journal(Path file, InstantSource clock, int linesBeforeCompaction, Supplier<Duration> uptime)
            throws IOException {
        this.file = file;
        this.clock = clock;
        this.uptime = uptime;
        this.answeredAt = uptime.get();
        this.ledger = new JournalState(clock);
        this.linesBeforeCompaction = linesBeforeCompaction;
        replay();
        this.stream = new FileOutputStream(file.toFile(), true);
    }

    public static Journal open(Path file, InstantSource clock) throws IOException {
        return open(file, clock, Uptime::withSleep);
    }

    /** Opens the journal; {@code uptime} is {@link Uptime#withSleep}. */
    public static Journal open(Path file, InstantSource clock, Supplier<Duration> uptime) throws IOException {
        return new Journal(file, clock, LINES_BEFORE_COMPACTION, uptime);
    }

    static Journal open(Path file, InstantSource clock, int linesBeforeCompaction) throws IOException {
        return new Journal(file, clock, linesBeforeCompaction, Uptime::withSleep);
    }

    /** Writes the entries and then the events, atomically. */
    public synchronized void write(List<JournalEntry> entries, List<NewEvent> notes) {
        List<JournalEntry> line = new ArrayList<>(entries);
        long sequence = ledger.lastSequence();
        Instant now = clock.instant();
        boolean isClockKnown = ServerClock.isKnown(clock);
        for (NewEvent note : notes) {
            sequence = isClockKnown ? Math.max(sequence + 1, now.toEpochMilli()) : sequence + 1;
            line.add(new JournalEntry.Event(toLinkEvent(sequence, now, note)));
            if (ledger.saysBedUsed(note)) {
                line.add(new JournalEntry.BedUsed(note.deviceId(), sequence));
            }
        }
        if (!line.isEmpty()) {
            append(line);
        }
        if (!isClockKnown) {
            for (long undated = sequence; undated > sequence - notes.size(); undated--) {
                undatedEvents.put(undated, Uptime.now());
            }
        }
        notes.forEach(note -> recordedCounts.merge(note.kind(), 1L, Long::sum));
    }

    /** Applies entries at once, even if they cannot be written yet, for example because the disk is full. */
    public synchronized void applyUnwritten(List<JournalEntry> entries) {
        try {
            append(entries);
        } catch (UncheckedIOException e) {
            LOG.error("cannot write the cancelled jobs to the journal yet; stopping them anyway: {}", e.getMessage());
            entries.forEach(ledger::apply);
            unwritten.addAll(entries);
        }
    }

    /** Writes the entries that were applied and are not written yet. */
    public synchronized void writeUnwritten() {
        if (!unwritten.isEmpty()) {
            append(List.of());
        }
    }

    /** Returns how many events of a kind were recorded since the agent started. */
    public synchronized long countRecorded(LinkRequest.Kind kind) {
        return recordedCounts.getOrDefault(kind, 0L);
    }

    /** Returns how many events the API does not have yet. */
    public synchronized int countUndelivered() {
        return ledger.countUndelivered();
    }

    private LinkRequest.Event toLinkEvent(long sequence, Instant now, NewEvent note) {
        return new LinkRequest.Event(
                sequence,
                now,
                note.deviceId(),
                note.kind(),
                note.jobId(),
                note.attempt(),
                note.message(),
                note.elapsedSeconds(),
                note.usedGrams(),
                note.commandId(),
                note.heatingSeconds(),
                note.kind() == LinkRequest.Kind.jobStarted
                        ? preparations.get(note.jobId() + "/" + note.attempt())
                        : null);
    }

    /** Records when jobs reach the steps before their start. */
    private void recordPreparation(JournalEntry entry) {
        Instant now = clock.instant();
        switch (entry) {
            case JournalEntry.PrintAccepted(Job job) ->
                preparations.put(job.jobId() + "/" + job.attempt(), new LinkRequest.Preparation(now, null, null));
            case JournalEntry.JobStepReached(String jobId, int attempt, JobStep step) ->
                preparations.computeIfPresent(jobId + "/" + attempt, (_, known) -> switch (step) {
                    case downloaded -> new LinkRequest.Preparation(known.acceptedAt(), now, null);
                    case uploaded, start_sent ->
                        known.uploadedAt() != null
                                ? known
                                : new LinkRequest.Preparation(known.acceptedAt(), known.downloadedAt(), now);
                    case taken, started, shown -> known;
                    case ended -> null;
                });
            default -> {}
        }
    }

    /** The decision whether a job may be started now. */
    public enum StartDecision {
        GRANTED,
        GRANTED_BEFORE,
        CANCELLED,
        BED_USED,
        /** Denied: the job has expired, for example because the disk was full for a long time after the upload. */
        EXPIRED,
        /** Denied: the API has been silent for so long that it may have cancelled the job. */
        API_SILENT
    }

    /**
     * Decides whether a job may be started, and journals a granted start before it returns. A start is granted once per
     * job.
     */
    public synchronized StartDecision mayStart(Job job) {
        Optional<ActiveJob> fresh = ledger.job(job.jobId(), job.attempt())
                .filter(live -> live.step().compareTo(JobStep.start_sent) < 0);
        if (fresh.isEmpty()) {
            return StartDecision.GRANTED_BEFORE;
        }
        if (fresh.get().cancelling()) {
            return StartDecision.CANCELLED;
        }
        if (ledger.isBedUsedSince(job.deviceId(), job.print().heardSequence())) {
            return StartDecision.BED_USED;
        }
        if (job.expiresAt().isBefore(clock.instant())) {
            return StartDecision.EXPIRED;
        }
        if (isApiSilent()) {
            return StartDecision.API_SILENT;
        }
        append(List.of(new JournalEntry.JobStepReached(job.jobId(), job.attempt(), JobStep.start_sent)));
        return StartDecision.GRANTED;
    }

    /**
     * Records that a response of the API was applied; {@code requestedAt} is the uptime, including sleep, at which its
     * request was sent.
     */
    public synchronized void recordAnswer(Duration requestedAt) {
        answeredAt = requestedAt.compareTo(answeredAt) > 0 ? requestedAt : answeredAt;
        Duration refused = supersededAt;
        supersededAt = refused == null || requestedAt.compareTo(refused) >= 0 ? null : refused;
    }

    /**
     * Records that the API serves, or may serve, another agent process. No job may be started until the API answers a
     * request that is sent later.
     */
    public synchronized void recordSuperseded() {
        supersededAt = uptime.get();
    }

    /**
     * Returns whether jobs may have been cancelled without the agent knowing: the API has not answered for too long, or
     * the machine has slept since its last response.
     */
    public boolean isApiSilent() {
        return supersededAt != null || uptime.get().minus(answeredAt).compareTo(MAX_SILENCE) > 0;
    }

    /**
     * Returns whether the bed was used after the event {@code knownSequence}, the last one that the API knew when it
     * decided to print. A null number counts as no use.
     */
    public synchronized boolean isBedUsedSince(String deviceId, @Nullable Long knownSequence) {
        return ledger.isBedUsedSince(deviceId, knownSequence);
    }

    /** Drops the events that the API has. */
    public synchronized void dropDelivered(long sequence) {
        List<LinkRequest.Event> oldest = ledger.undeliveredEvents(1);
        if (!oldest.isEmpty() && oldest.getFirst().sequence() <= sequence) {
            append(List.of(new JournalEntry.Delivered(Math.min(sequence, ledger.lastSequence()))));
            undatedEvents.headMap(sequence, true).clear();
        }
    }

    /**
     * Renumbers the waiting events if the API already has events of this agent with higher numbers than this journal
     * has issued, which shows that the journal is an older copy. The waiting events get higher numbers, so that the API
     * does not mistake them for known events; some may be sent twice.
     */
    public synchronized void renumber(long known) {
        List<LinkRequest.Event> waiting = ledger.undeliveredEvents(Integer.MAX_VALUE);
        LOG.warn("{} is older than the API's record of this agent: resending {} events", file, waiting.size());
        long sequence = Math.max(known, ledger.lastSequence());
        List<JournalEntry> line = new ArrayList<>();
        line.add(new JournalEntry.Delivered(sequence));
        Map<Long, Duration> undated = new TreeMap<>();
        for (LinkRequest.Event event : waiting) {
            sequence++;
            line.add(new JournalEntry.Event(
                    RecordBuilder.copyOf(event).with("sequence", sequence).build()));
            if (ledger.isBedUsedSince(event.deviceId(), event.sequence() - 1)) {
                line.add(new JournalEntry.BedUsed(event.deviceId(), sequence));
            }
            Duration uptime = undatedEvents.get(event.sequence());
            if (uptime != null) {
                undated.put(sequence, uptime);
            }
        }
        append(line);
        undatedEvents.clear();
        undatedEvents.putAll(undated);
    }

    public boolean isKnownCommand(String commandId) {
        return ledger.isKnownCommand(commandId);
    }

    /** Returns the latest known attempt of the job, or -1. */
    public synchronized int latestAttempt(String jobId) {
        return ledger.latestAttempt(jobId);
    }

    /** Returns the jobs of a printer that have not ended, the oldest first. */
    public synchronized List<ActiveJob> jobsOn(String deviceId) {
        return ledger.jobsOn(deviceId);
    }

    public synchronized Optional<ActiveJob> job(String jobId, int attempt) {
        return ledger.job(jobId, attempt);
    }

    public synchronized Optional<JournalEntry.LastObservation> lastObservation(String deviceId) {
        return ledger.lastObservation(deviceId);
    }

    /**
     * Returns the events that the API does not have yet. The times of events that were recorded before the clock was
     * known are computed by the current clock.
     */
    public synchronized List<LinkRequest.Event> undeliveredEvents(int limit) {
        List<LinkRequest.Event> events = ledger.undeliveredEvents(limit);
        return undatedEvents.isEmpty() || !ServerClock.isKnown(clock)
                ? events
                : events.stream().map(this::withEventTime).toList();
    }

    private LinkRequest.Event withEventTime(LinkRequest.Event event) {
        Duration uptime = undatedEvents.get(event.sequence());
        return uptime == null
                ? event
                : RecordBuilder.copyOf(event)
                        .with("at", clock.instant().minus(Uptime.now().minus(uptime)))
                        .build();
    }

    /** Returns the number of the last event, without waiting for a write in progress. */
    public long lastSequence() {
        return ledger.lastSequence();
    }

    private void append(List<JournalEntry> entries) {
        try {
            if (lines.get() > linesBeforeCompaction && lines.get() > 4 * ledger.size()) {
                compact();
            }
            long before = Files.size(file);
            try {
                write(
                        stream,
                        Stream.concat(unwritten.stream(), entries.stream()).toList());
            } catch (IOException e) {
                truncateTo(before);
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
        unwritten.clear();
        entries.forEach(ledger::apply);
        if (ServerClock.isKnown(clock)) {
            entries.forEach(this::recordPreparation);
        }
        lines.incrementAndGet();
    }

    /** Writes a line of entries. Uses a stream, because a channel closes itself when its thread is interrupted. */
    private static void write(FileOutputStream to, List<JournalEntry> entries) throws IOException {
        String line = Json.write(JournalEntry.class, entries) + "\n";
        to.write(line.getBytes(StandardCharsets.UTF_8));
        to.getFD().sync();
    }

    /**
     * Truncates the file after an incomplete write, for example on a full disk, so that the next line does not follow a
     * partial one.
     */
    private void truncateTo(long length) throws IOException {
        try (RandomAccessFile whole = new RandomAccessFile(file.toFile(), "rw")) {
            whole.setLength(length);
            whole.getFD().sync();
        }
    }

    private void replay() throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        byte[] bytes = Files.readAllBytes(file);
        int begin = 0;
        for (int at = 0; at < bytes.length; at++) {
            if (bytes[at] == '\n') {
                replay(new String(bytes, begin, at - begin, StandardCharsets.UTF_8));
                begin = at + 1;
            }
        }
        if (begin < bytes.length) {
            LOG.warn("{}: the last line was cut short by a crash and is dropped", file);
            truncateTo(begin);
        }
    }

    private void replay(String line) {
        try {
            Json.list(line, JournalEntry.class).forEach(ledger::apply);
        } catch (IOException e) {
            LOG.error("{}: line {} cannot be parsed, skipping it: {}", file, lines.get() + 1, e.getMessage());
        }
        lines.incrementAndGet();
    }

    private void compact() throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        List<JournalEntry> entries = ledger.entries();
        try (FileOutputStream to = new FileOutputStream(fresh.toFile())) {
            write(to, entries);
        } catch (IOException e) {
            LOG.warn("{} cannot be compacted, continuing with the long file: {}", file, e.getMessage());
            Files.deleteIfExists(fresh);
            return;
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncFolder();
        stream.close();
        stream = new FileOutputStream(file.toFile(), true);
        lines.set(1);
    }

    /**
     * Syncs the folder, so that the rename survives a power cut. Ignores a failure, because not every system supports
     * this.
     */
    private void syncFolder() {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            return;
        }
        try (FileChannel whole = FileChannel.open(folder, StandardOpenOption.READ)) {
            whole.force(true);
        } catch (IOException e) {
            LOG.debug("{} cannot be synced: {}", folder, e.getMessage());
        }
    }

    @Override
    public synchronized void close() throws IOException {
        stream.close();
    }
}
