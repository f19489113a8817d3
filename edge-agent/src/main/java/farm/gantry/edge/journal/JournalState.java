package farm.gantry.edge.journal;

import farm.gantry.edge.time.ServerClock;
import farm.gantry.wire.LinkRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What the journal's entries add up to. Confined to the journal, which guards it. */
final class JournalState {
    private static final Duration COMMANDS_KEPT = Duration.ofDays(2);
    private static final int MAX_EVENTS = 10_000;
    private static final Duration FENCES_KEPT = Duration.ofDays(60);

    private final InstantSource clock;
    /** Also read while the journal is being written. */
    private final Map<String, Instant> commands = Collections.synchronizedMap(new LinkedHashMap<>());

    private final Map<String, JournalEntry.Fence> fences = new LinkedHashMap<>();
    private final Map<String, ActiveJob> jobs = new LinkedHashMap<>();
    private final TreeMap<Long, LinkRequest.Event> events = new TreeMap<>();
    private final Map<String, JournalEntry.Seen> seen = new LinkedHashMap<>();
    private final Map<String, Long> bedsUsed = new LinkedHashMap<>();
    private final AtomicLong lastSequence = new AtomicLong();
    private final AtomicLong delivered = new AtomicLong();

    JournalState(InstantSource clock) {
        this.clock = clock;
    }

    void apply(JournalEntry entry) {
        switch (entry) {
            case JournalEntry.Taken taken -> commands.put(taken.commandId(), taken.at());
            case JournalEntry.Asked asked -> ask(asked.job());
            case JournalEntry.Reached reached -> reach(reached);
            case JournalEntry.Cancelling cancelling ->
                jobs.computeIfPresent(
                        key(cancelling.jobId(), cancelling.attempt()),
                        (_, live) -> new ActiveJob(live.job(), live.step(), true, live.pausing(), live.confirmation()));
            case JournalEntry.Pausing pausing ->
                jobs.computeIfPresent(
                        key(pausing.jobId(), pausing.attempt()),
                        (_, live) -> new ActiveJob(
                                live.job(), live.step(), live.cancelling(), pausing.waits(), live.confirmation()));
            case JournalEntry.Confirmation confirmation ->
                jobs.computeIfPresent(
                        key(confirmation.jobId(), confirmation.attempt()),
                        (_, live) -> new ActiveJob(
                                live.job(),
                                live.step(),
                                live.cancelling(),
                                live.pausing(),
                                confirmation.since() == null ? null : confirmation));
            case JournalEntry.Fence fence -> fences.merge(fence.jobId(), fence, JournalState::later);
            case JournalEntry.Event event -> keep(event.event());
            case JournalEntry.Delivered delivered -> deliver(delivered.sequence());
            case JournalEntry.Seen glance -> seen.put(glance.deviceId(), glance);
            case JournalEntry.BedUsed used -> bedsUsed.merge(used.deviceId(), used.sequence(), Math::max);
        }
    }

    private void ask(Job job) {
        jobs.put(key(job.jobId(), job.attempt()), new ActiveJob(job, JobStep.taken, false, false));
        fences.merge(
                job.jobId(), new JournalEntry.Fence(job.jobId(), job.attempt(), job.expiresAt()), JournalState::later);
    }

    private void reach(JournalEntry.Reached reached) {
        String key = key(reached.jobId(), reached.attempt());
        if (reached.step() == JobStep.ended) {
            jobs.remove(key);
        } else {
            jobs.computeIfPresent(
                    key,
                    (_, live) -> new ActiveJob(
                            live.job(),
                            later(live.step(), reached.step()),
                            live.cancelling(),
                            live.pausing(),
                            live.confirmation()));
        }
    }

    /** A job never goes back, lest it be started again. */
    private static JobStep later(JobStep one, JobStep other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private void keep(LinkRequest.Event event) {
        lastSequence.accumulateAndGet(event.sequence(), Math::max);
        if (events.size() >= MAX_EVENTS && isFleeting(event.kind())) {
            events.values().stream()
                    .filter(old -> old.kind() == event.kind() && old.deviceId().equals(event.deviceId()))
                    .findFirst()
                    .ifPresent(oldest -> events.remove(oldest.sequence()));
        }
        events.put(event.sequence(), event);
    }

    /** Events that a faulty printer may repeat without end while the API is unreachable; only the latest are kept. */
    private static boolean isFleeting(LinkRequest.Kind kind) {
        return switch (kind) {
            case printerOnline, printerOffline, printerError, printerWarning -> true;
            case jobStarted,
                    jobPaused,
                    jobResumed,
                    jobCompleted,
                    jobFailed,
                    jobCancelled,
                    jobRefused,
                    jobNotBegun,
                    printerChanged,
                    commandDone,
                    commandFailed -> false;
        };
    }

    private void deliver(long sequence) {
        lastSequence.accumulateAndGet(sequence, Math::max);
        delivered.accumulateAndGet(sequence, Math::max);
        events.headMap(sequence, true).clear();
    }

    private static String key(String jobId, int attempt) {
        return jobId + "/" + attempt;
    }

    private static JournalEntry.Fence later(JournalEntry.Fence one, JournalEntry.Fence other) {
        return other.attempt() >= one.attempt() ? other : one;
    }

    boolean knows(String commandId) {
        return commands.containsKey(commandId);
    }

    /** The latest attempt seen of the job, or -1. */
    int attempt(String jobId) {
        JournalEntry.Fence fence = fences.get(jobId);
        return fence == null ? -1 : fence.attempt();
    }

    List<ActiveJob> jobsOn(String deviceId) {
        return jobs.values().stream()
                .filter(live -> live.job().deviceId().equals(deviceId))
                .toList();
    }

    Optional<ActiveJob> job(String jobId, int attempt) {
        return Optional.ofNullable(jobs.get(key(jobId, attempt)));
    }

    Optional<JournalEntry.Seen> seenOn(String deviceId) {
        return Optional.ofNullable(seen.get(deviceId));
    }

    /** Whether an event says that something lies on the bed, or may. */
    boolean saysBedUsed(Journal.NewEvent note) {
        return switch (note.kind()) {
            case printerChanged, jobStarted, jobCompleted -> true;
            case jobFailed, jobCancelled ->
                note.jobId() != null
                        && note.attempt() != null
                        && job(note.jobId(), note.attempt())
                                .filter(live -> live.step().compareTo(JobStep.start_sent) >= 0)
                                .isPresent();
            case jobPaused,
                    jobResumed,
                    jobRefused,
                    jobNotBegun,
                    printerOnline,
                    printerOffline,
                    printerError,
                    printerWarning,
                    commandDone,
                    commandFailed -> false;
        };
    }

    /** Whether the bed was used after the last event that the API had heard when it decided; not known without one. */
    boolean isBedUsedSince(String deviceId, @Nullable Long heard) {
        return heard != null && bedsUsed.getOrDefault(deviceId, 0L) > heard;
    }

    List<LinkRequest.Event> undelivered(int most) {
        return events.values().stream().limit(most).toList();
    }

    int waiting() {
        return events.size();
    }

    long lastSequence() {
        return lastSequence.get();
    }

    int size() {
        return commands.size() + fences.size() + 2 * jobs.size() + events.size() + seen.size() + bedsUsed.size();
    }

    /**
     * The shortest list of entries that add up to this; what has grown too old to matter is left out, unless the clock may
     * be wrong.
     */
    List<JournalEntry> entries() {
        if (ServerClock.isKnown(clock)) {
            forgetOld(clock.instant());
        }
        List<JournalEntry> entries = new ArrayList<>();
        entries.add(new JournalEntry.Delivered(delivered.get()));
        commands.forEach((id, at) -> entries.add(new JournalEntry.Taken(id, at)));
        entries.addAll(fences.values());
        jobs.values().stream().map(JournalState::entries).forEach(entries::addAll);
        entries.addAll(seen.values());
        bedsUsed.forEach((deviceId, sequence) -> entries.add(new JournalEntry.BedUsed(deviceId, sequence)));
        events.values().forEach(event -> entries.add(new JournalEntry.Event(event)));
        return entries;
    }

    private void forgetOld(Instant now) {
        commands.values().removeIf(at -> at.isBefore(now.minus(COMMANDS_KEPT)));
        fences.values()
                .removeIf(fence -> !jobs.containsKey(key(fence.jobId(), fence.attempt()))
                        && fence.at().isBefore(now.minus(FENCES_KEPT)));
    }

    private static Collection<JournalEntry> entries(ActiveJob live) {
        List<JournalEntry> entries = new ArrayList<>();
        Job job = live.job();
        entries.add(new JournalEntry.Asked(job));
        entries.add(new JournalEntry.Reached(job.jobId(), job.attempt(), live.step()));
        if (live.cancelling()) {
            entries.add(new JournalEntry.Cancelling(job.jobId(), job.attempt()));
        }
        if (live.pausing()) {
            entries.add(new JournalEntry.Pausing(job.jobId(), job.attempt(), true));
        }
        if (live.confirmation() != null) {
            entries.add(live.confirmation());
        }
        return entries;
    }
}
