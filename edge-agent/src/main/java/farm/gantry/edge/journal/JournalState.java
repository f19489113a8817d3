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

/** The state that results from applying all entries of the journal. Not thread-safe: the {@link Journal} guards it. */
final class JournalState {
    private static final Duration COMMAND_RETENTION = Duration.ofDays(2);
    private static final int MAX_EVENTS = 10_000;
    private static final Duration FENCE_RETENTION = Duration.ofDays(60);

    private final InstantSource clock;
    /** The number of the last event. Volatile, because it is also read during a write of the journal. */
    private final Map<String, Instant> commands = Collections.synchronizedMap(new LinkedHashMap<>());

    private final Map<String, JournalEntry.Fence> fences = new LinkedHashMap<>();
    private final Map<String, ActiveJob> jobs = new LinkedHashMap<>();
    private final TreeMap<Long, LinkRequest.Event> events = new TreeMap<>();
    private final Map<String, JournalEntry.LastObservation> seen = new LinkedHashMap<>();
    private final Map<String, Long> bedsUsed = new LinkedHashMap<>();
    private final AtomicLong lastSequence = new AtomicLong();
    private final AtomicLong delivered = new AtomicLong();

    JournalState(InstantSource clock) {
        this.clock = clock;
    }

    void apply(JournalEntry entry) {
        switch (entry) {
            case JournalEntry.CommandAccepted taken -> commands.put(taken.commandId(), taken.at());
            case JournalEntry.PrintAccepted asked -> addJob(asked.job());
            case JournalEntry.JobStepReached reached -> advanceStep(reached);
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
            case JournalEntry.Event event -> addEvent(event.event());
            case JournalEntry.Delivered delivered -> dropDelivered(delivered.sequence());
            case JournalEntry.LastObservation glance -> seen.put(glance.deviceId(), glance);
            case JournalEntry.BedUsed used -> bedsUsed.merge(used.deviceId(), used.sequence(), Math::max);
        }
    }

    private void addJob(Job job) {
        jobs.put(key(job.jobId(), job.attempt()), new ActiveJob(job, JobStep.taken, false, false));
        fences.merge(
                job.jobId(), new JournalEntry.Fence(job.jobId(), job.attempt(), job.expiresAt()), JournalState::later);
    }

    private void advanceStep(JournalEntry.JobStepReached reached) {
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

    /**
     * Returns the later of two steps. A job never returns to an earlier step, because its print could be started again.
     */
    private static JobStep later(JobStep one, JobStep other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private void addEvent(LinkRequest.Event event) {
        lastSequence.accumulateAndGet(event.sequence(), Math::max);
        if (events.size() >= MAX_EVENTS && isDroppable(event.kind())) {
            events.values().stream()
                    .filter(old -> old.kind() == event.kind() && old.deviceId().equals(event.deviceId()))
                    .findFirst()
                    .ifPresent(oldest -> events.remove(oldest.sequence()));
        }
        events.put(event.sequence(), event);
    }

    /**
     * Returns whether old events of this kind may be dropped, because a faulty printer may cause them endlessly while
     * the API is unreachable.
     */
    private static boolean isDroppable(LinkRequest.Kind kind) {
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

    private void dropDelivered(long sequence) {
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

    boolean isKnownCommand(String commandId) {
        return commands.containsKey(commandId);
    }

    /** Returns the latest known attempt of the job, or -1. */
    int latestAttempt(String jobId) {
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

    Optional<JournalEntry.LastObservation> lastObservation(String deviceId) {
        return Optional.ofNullable(seen.get(deviceId));
    }

    /** Returns whether an event reports that something is, or may be, on the bed. */
    boolean saysBedUsed(NewEvent note) {
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

    /** Returns whether the bed was used after the last event that the API knew when it decided; unknown without one. */
    boolean isBedUsedSince(String deviceId, @Nullable Long knownSequence) {
        return knownSequence != null && bedsUsed.getOrDefault(deviceId, 0L) > knownSequence;
    }

    List<LinkRequest.Event> undeliveredEvents(int most) {
        return events.values().stream().limit(most).toList();
    }

    int countUndelivered() {
        return events.size();
    }

    long lastSequence() {
        return lastSequence.get();
    }

    int size() {
        return commands.size() + fences.size() + 2 * jobs.size() + events.size() + seen.size() + bedsUsed.size();
    }

    /**
     * Returns the shortest list of entries that results in this state. Old entries that no longer matter are omitted,
     * unless the clock may be wrong.
     */
    List<JournalEntry> entries() {
        if (ServerClock.isKnown(clock)) {
            dropOld(clock.instant());
        }
        List<JournalEntry> entries = new ArrayList<>();
        entries.add(new JournalEntry.Delivered(delivered.get()));
        commands.forEach((id, at) -> entries.add(new JournalEntry.CommandAccepted(id, at)));
        entries.addAll(fences.values());
        jobs.values().stream().map(JournalState::entries).forEach(entries::addAll);
        entries.addAll(seen.values());
        bedsUsed.forEach((deviceId, sequence) -> entries.add(new JournalEntry.BedUsed(deviceId, sequence)));
        events.values().forEach(event -> entries.add(new JournalEntry.Event(event)));
        return entries;
    }

    private void dropOld(Instant now) {
        commands.values().removeIf(at -> at.isBefore(now.minus(COMMAND_RETENTION)));
        fences.values()
                .removeIf(fence -> !jobs.containsKey(key(fence.jobId(), fence.attempt()))
                        && fence.at().isBefore(now.minus(FENCE_RETENTION)));
    }

    private static Collection<JournalEntry> entries(ActiveJob live) {
        List<JournalEntry> entries = new ArrayList<>();
        Job job = live.job();
        entries.add(new JournalEntry.PrintAccepted(job));
        entries.add(new JournalEntry.JobStepReached(job.jobId(), job.attempt(), live.step()));
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
