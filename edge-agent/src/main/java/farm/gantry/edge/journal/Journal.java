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
 * An append-only file, synced before {@link #write} returns. A line is a list of entries that are applied together or
 * not at all. An incomplete last line was never acknowledged and is cut off. Events stay until the API has them; only
 * for a printer that disconnects and reconnects endlessly while the API is unreachable, the oldest of these events are
 * dropped.
 */
public final class Journal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
    private static final int LINES_BEFORE_COMPACTION = 2_000;
    /**
     * The maximum age of an API answer that may start a job. It is longer than an agent waits between two exchanges
     * while it has a job, and shorter than the silence after which the API serves another process.
     */
    private static final Duration MAX_SILENCE = Duration.ofSeconds(60);

    private final Path file;
    private final int linesBeforeCompaction;
    private final InstantSource clock;
    private final Supplier<Duration> uptime;
    private final JournalState ledger;
    /** Entries that apply already but could not be written; they are written before all others. */
    private final List<JournalEntry> unwritten = new ArrayList<>();

    private final AtomicInteger lines = new AtomicInteger();
    private final Map<LinkRequest.Kind, Long> recorded = new EnumMap<>(LinkRequest.Kind.class);
    /** The uptime of events that this run recorded before the clock was known, by their sequence numbers. */
    private final TreeMap<Long, Duration> undatedEvents = new TreeMap<>();

    /** The uptime, with sleep, at which the API's latest answer was requested. */
    private volatile Duration answeredAt;

    /** When the API refused this process; null once it has answered a later request. */
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

    public static Journal at(Path file, InstantSource clock) throws IOException {
        return at(file, clock, Uptime::withSleep);
    }

    /** {@code uptime} as {@link Uptime#withSleep} returns it. */
    public static Journal at(Path file, InstantSource clock, Supplier<Duration> uptime) throws IOException {
        return new Journal(file, clock, LINES_BEFORE_COMPACTION, uptime);
    }

    static Journal at(Path file, InstantSource clock, int linesBeforeCompaction) throws IOException {
        return new Journal(file, clock, linesBeforeCompaction, Uptime::withSleep);
    }

    /** Writes the entries and the events in this order, together or not at all. */
    public synchronized void write(List<JournalEntry> entries, List<NewEvent> notes) {
        List<JournalEntry> line = new ArrayList<>(entries);
        long sequence = ledger.lastSequence();
        Instant now = clock.instant();
        boolean isClockKnown = ServerClock.isKnown(clock);
        for (NewEvent note : notes) {
            sequence = isClockKnown ? Math.max(sequence + 1, now.toEpochMilli()) : sequence + 1;
            line.add(new JournalEntry.Event(event(sequence, now, note)));
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
        notes.forEach(note -> recorded.merge(note.kind(), 1L, Long::sum));
    }

    /** Applies entries from now on, also if they cannot be written yet, for example because the disk is full. */
    public synchronized void hold(List<JournalEntry> entries) {
        try {
            append(entries);
        } catch (UncheckedIOException e) {
            LOG.error("cannot write the cancelled jobs to the journal yet; stopping them anyway: {}", e.getMessage());
            entries.forEach(ledger::apply);
            unwritten.addAll(entries);
        }
    }

    /** Writes the entries that apply and are not written yet. */
    public synchronized void writeHeld() {
        if (!unwritten.isEmpty()) {
            append(List.of());
        }
    }

    /** Returns how many events of a kind were recorded since the agent started. */
    public synchronized long recorded(LinkRequest.Kind kind) {
        return recorded.getOrDefault(kind, 0L);
    }

    /** Returns how many events the API does not have yet. */
    public synchronized int waiting() {
        return ledger.waiting();
    }

    private static LinkRequest.Event event(long sequence, Instant now, NewEvent note) {
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
                note.heatingSeconds());
    }

    /** Whether a job may be started now, and why not. */
    public enum StartDecision {
        GRANTED,
        GRANTED_BEFORE,
        CANCELLED,
        BED_USED,
        /** The job has expired, for example because the disk was full for long after its file had arrived. */
        EXPIRED,
        /** The API may have cancelled the job in the meantime. */
        API_SILENT
    }

    /** Permits the start of a job: once per job, and journaled before this returns. */
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

    /** Records that an answer of the API was applied; {@code requestedAt} is the uptime, with sleep, of its request. */
    public synchronized void answered(Duration requestedAt) {
        answeredAt = requestedAt.compareTo(answeredAt) > 0 ? requestedAt : answeredAt;
        Duration refused = supersededAt;
        supersededAt = refused == null || requestedAt.compareTo(refused) >= 0 ? null : refused;
    }

    /**
     * Records that the API serves, or may serve, another process: nothing may be started until it answers a request
     * sent after this.
     */
    public synchronized void superseded() {
        supersededAt = uptime.get();
    }

    /**
     * Returns whether the API has not answered for so long, or the machine has slept meanwhile, that cancelled jobs are
     * unknown.
     */
    public boolean isApiSilent() {
        return supersededAt != null || uptime.get().minus(answeredAt).compareTo(MAX_SILENCE) > 0;
    }

    /** Returns whether the bed was used after the last event that the API knew when it decided; unknown without one. */
    public synchronized boolean isBedUsedSince(String deviceId, @Nullable Long knownSequence) {
        return ledger.isBedUsedSince(deviceId, knownSequence);
    }

    /** Drops the events that the API has. */
    public synchronized void delivered(long sequence) {
        List<LinkRequest.Event> oldest = ledger.undelivered(1);
        if (!oldest.isEmpty() && oldest.getFirst().sequence() <= sequence) {
            append(List.of(new JournalEntry.Delivered(Math.min(sequence, ledger.lastSequence()))));
            undatedEvents.headMap(sequence, true).clear();
        }
    }

    /**
     * Renumbers waiting events when the API has events of this agent up to a number that this journal has not issued
     * yet, so that the journal is an older copy. Waiting events get higher numbers, so that the API does not mistake
     * them for known ones; some may be sent twice.
     */
    public synchronized void renumber(long known) {
        List<LinkRequest.Event> waiting = ledger.undelivered(Integer.MAX_VALUE);
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

    public boolean knows(String commandId) {
        return ledger.knows(commandId);
    }

    /** Returns the latest known attempt of the job, or -1. */
    public synchronized int attempt(String jobId) {
        return ledger.attempt(jobId);
    }

    /** Returns the jobs of a printer that have not ended, the oldest first. */
    public synchronized List<ActiveJob> jobsOn(String deviceId) {
        return ledger.jobsOn(deviceId);
    }

    public synchronized Optional<ActiveJob> job(String jobId, int attempt) {
        return ledger.job(jobId, attempt);
    }

    public synchronized Optional<JournalEntry.LastObservation> seenOn(String deviceId) {
        return ledger.seenOn(deviceId);
    }

    /**
     * Returns the events that the API does not have yet. Events from before the clock was known get their time by the
     * present clock.
     */
    public synchronized List<LinkRequest.Event> undelivered(int limit) {
        List<LinkRequest.Event> events = ledger.undelivered(limit);
        return undatedEvents.isEmpty() || !ServerClock.isKnown(clock)
                ? events
                : events.stream().map(this::dated).toList();
    }

    private LinkRequest.Event dated(LinkRequest.Event event) {
        Duration uptime = undatedEvents.get(event.sequence());
        return uptime == null
                ? event
                : RecordBuilder.copyOf(event)
                        .with("at", clock.instant().minus(Uptime.now().minus(uptime)))
                        .build();
    }

    /** Does not wait for a write in progress. */
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
                cutTo(before);
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
        unwritten.clear();
        entries.forEach(ledger::apply);
        lines.incrementAndGet();
    }

    /** Writes through a stream, because a channel closes itself when its writer is interrupted, as loops are. */
    private static void write(FileOutputStream to, List<JournalEntry> entries) throws IOException {
        String line = Json.write(JournalEntry.class, entries) + "\n";
        to.write(line.getBytes(StandardCharsets.UTF_8));
        to.getFD().sync();
    }

    /** Removes an incomplete write (the disk is full), which must not precede the next line. */
    private void cutTo(long length) throws IOException {
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
            cutTo(begin);
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

    /** Makes the rename survive a power cut; not every system lets a folder be synced. */
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
