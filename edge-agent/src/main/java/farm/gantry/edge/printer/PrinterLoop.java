package farm.gantry.edge.printer;

import farm.gantry.edge.camera.Picture;
import farm.gantry.edge.file.Layers;
import farm.gantry.edge.inbox.Inbox;
import farm.gantry.edge.journal.CrashPoint;
import farm.gantry.edge.journal.Entry;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobFile;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.Journal.Note;
import farm.gantry.edge.journal.Live;
import farm.gantry.edge.journal.Step;
import farm.gantry.edge.log.Secrets;
import farm.gantry.edge.printer.Situation.Fetching;
import farm.gantry.edge.printer.Situation.Ready;
import farm.gantry.edge.printer.Situation.Running;
import farm.gantry.edge.printer.Situation.Starting;
import farm.gantry.edge.printer.Situation.Unsure;
import farm.gantry.edge.printer.Situation.Vacant;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.time.Uptime;
import farm.gantry.printer.PrinterState;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import farm.gantry.wire.LinkRequest.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One printer's own thread: hears the printer and the API, asks {@link Moves}, writes down, then acts. */
final class PrinterLoop implements Provider.Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PrinterLoop.class);
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration ENDING = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofMinutes(1);
    /** How often the journal learns that a printer that counts no prints is still in sight. */
    private static final Duration STILL_SEEN = Duration.ofSeconds(30);

    static final String BED_USED = "the bed was used since the farm decided on this";

    private final PrinterConfig config;
    private final Moves moves;
    private final Journal journal;
    private final Bulletin bulletin;
    private final InstantSource clock;
    private final Errands errands;
    private final Snapshots snapshots;
    private final Inbox<Runnable> inbox = Inbox.open();
    private final Thread thread;
    private volatile View view;
    private volatile @Nullable Reading latest;
    /** When the printer last said what it is on, null where nobody knows; and whether it was out of sight since. */
    private volatile @Nullable Instant seenAt;

    private volatile boolean unseen = true;
    private volatile @Nullable Sliced sliced;
    /** The job on which somebody sent an emergency stop. */
    private volatile @Nullable Job stopped;

    PrinterLoop(
            PrinterConfig config,
            Function<Provider.Listener, Connection> line,
            Moves moves,
            Journal journal,
            Files files,
            Bulletin bulletin,
            InstantSource clock) {
        this.config = config;
        this.moves = moves;
        this.journal = journal;
        this.bulletin = bulletin;
        this.clock = clock;
        this.view = View.unreached(remembered());
        this.seenAt = journal.seenOn(config.deviceId()).map(Entry.Seen::at).orElse(null);
        inbox.add(this::recover);
        Connection connection = line.apply(this);
        this.snapshots = new Snapshots(connection);
        this.errands = new Errands(connection, files, journal, this::uploaded, this::hear);
        this.thread = Thread.ofVirtual().name("printer-" + config.deviceId()).unstarted(this::run);
    }

    /** Begins, where the last life of the agent left off. */
    void begin() {
        thread.start();
    }

    void hear(Signal signal) {
        inbox.add(() -> meet(signal));
    }

    private void uploaded(Job job) {
        inbox.add(() -> meet(new Signal.Uploaded(job, view.reading())));
    }

    void ask(Job job) {
        inbox.add(() -> meet(new Signal.Asked(job, objection(job))));
    }

    private @Nullable String objection(Job job) {
        return isBedUsedSince(job.print().heardSequence()) ? BED_USED : view.objection();
    }

    private boolean isBedUsedSince(@Nullable Long heard) {
        return journal.isBedUsedSince(config.deviceId(), heard);
    }

    /** A person's or a macro's command runs beside the job; how it went is told as an event. */
    void send(String commandId, Command.Send command) {
        if (isBedUsedSince(command.heardSequence())) {
            inbox.add(() -> tell(List.of(end(Kind.commandFailed, commandId, BED_USED))));
            return;
        }
        Job running = view.situation() instanceof Running(Job job, var _, var _) ? job : null;
        if (command.command().equals(Connection.EMERGENCY_STOP)) {
            stopped = sent();
        }
        errands.send(
                command,
                running,
                () -> inbox.add(() -> tell(List.of(end(Kind.commandDone, commandId, null)))),
                fault -> inbox.add(() -> tell(List.of(end(Kind.commandFailed, commandId, fault)))));
    }

    /** The job whose start was sent, if there is one. */
    private @Nullable Job sent() {
        return switch (view.situation()) {
            case Starting starting -> starting.job();
            case Running running -> running.job();
            case Unsure unsure -> unsure.job();
            case Vacant _, Fetching _, Ready _ -> null;
        };
    }

    private Note end(Kind kind, String commandId, @Nullable String message) {
        return new Note(config.deviceId(), kind, null, null, message, null, null, commandId);
    }

    @Override
    public void saw(Reading reading, boolean afterGap) {
        bulletin.heard();
        Reading before = latest;
        latest = reading;
        if (afterGap || before == null || reading.isNewsAfter(before)) {
            inbox.add(() -> look(reading, afterGap));
        } else {
            inbox.addLater(() -> look(reading, false));
        }
    }

    private void look(Reading told, boolean afterGap) {
        Reading reading = layered(told);
        View before = view;
        List<Note> edges = edges(before.reading(), reading);
        boolean anew = afterGap || before.reading() == null;
        view = before.with(reading);
        try {
            Signal.Seen seen = new Signal.Seen(reading, anew, Uptime.now(), unseenBefore(reading));
            carryOut(moves.next(view.situation(), seen), edges);
        } catch (UncheckedIOException e) {
            view = before;
            throw e;
        }
        if (reading.isClear()) {
            unseen = false;
            seenAt = clock.instant();
            keepSeen(STILL_SEEN);
        }
    }

    /** A printer that knows of no layers is on the layer of the file that its place tells. */
    private Reading layered(Reading reading) {
        Job job = sent();
        Reading.File file = reading.file();
        if (job == null || file == null || !file.isPlaced() || !file.name().equals(job.fileName())) {
            return reading;
        }
        Sliced known = sliced;
        if (known == null || !known.fileName().equals(job.fileName())) {
            sliced = new Sliced(job.fileName(), new Layers(List.of()));
            errands.layers(job, layers -> sliced = new Sliced(job.fileName(), layers));
            return reading;
        }
        return reading.in(known.layers());
    }

    /** The layers of the file that was sent last; none until they are found. */
    private record Sliced(String fileName, Layers layers) {}

    private @Nullable Duration unseenBefore(Reading reading) {
        Instant at = seenAt;
        if (!unseen || !reading.isClear()) {
            return null;
        }
        return at == null
                ? Duration.ZERO
                : Duration.between(at, clock.instant()).abs();
    }

    /** Writes down when a printer was last seen that cannot say later what it did since, unless that is written so far. */
    private void keepSeen(Duration behind) {
        Instant at = seenAt;
        Entry.Seen written = journal.seenOn(config.deviceId()).orElse(null);
        if (at == null || written == null || !(view.situation() instanceof Vacant)) {
            return;
        }
        Reading reading = view.reading();
        boolean counts = reading != null && reading.printCounter() != null;
        if (!counts
                && (written.at() == null || Duration.between(written.at(), at).compareTo(behind) > 0)) {
            Entry.Seen now =
                    new Entry.Seen(written.deviceId(), written.fileName(), written.busy(), written.printCounter(), at);
            journal.write(List.of(now), List.of());
        }
    }

    @Override
    public void lost(String why) {
        String reason = Secrets.hide(why);
        latest = null;
        inbox.add(() -> {
            if (view.isNewsWhenLost()) {
                tell(List.of(note(Kind.printerOffline, reason)));
            }
            keepSeen(Duration.ZERO);
            unseen = true;
            view = view.lost(reason);
            bulletin.state(config.deviceId(), state());
        });
    }

    Picture snapshot() throws IOException, Refusal, InterruptedException {
        return snapshots.take();
    }

    PrinterState state() {
        return view.state(clock.instant());
    }

    PrinterConfig config() {
        return config;
    }

    private void run() {
        bulletin.state(config.deviceId(), state());
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Runnable next = inbox.poll(patience());
                written(next == null ? this::tick : next);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                LOG.error("{}: {}", config.name(), e.getMessage(), e);
            }
        }
    }

    /** What cannot be written down, because the disk is full, has not happened yet. */
    private void written(Runnable next) throws InterruptedException {
        while (true) {
            try {
                next.run();
                return;
            } catch (UncheckedIOException e) {
                LOG.error("{}: nothing can be written down: {}", config.name(), e.getMessage());
                Thread.sleep(SOON);
            }
        }
    }

    private Duration patience() {
        return view.situation() instanceof Unsure || view.situation() instanceof Ready ? SOON : LONG;
    }

    /** Time passes for a printer that has nothing new to say. */
    private void tick() {
        Reading reading = view.reading();
        if (view.situation() instanceof Unsure && reading != null) {
            meet(new Signal.Seen(reading, false, Uptime.now(), null));
        }
        if (view.situation() instanceof Ready(Job job, var _) && job.expiresAt().isBefore(clock.instant())) {
            meet(new Signal.Stuck(job, Refusal.Cause.printer, "the printer did not come in sight in time"));
        }
    }

    private Situation remembered() {
        return journal.jobsOn(config.deviceId()).stream()
                .filter(live -> live.step().compareTo(Step.start_sent) >= 0)
                .findFirst()
                .<Situation>map(
                        live -> new Unsure(live.job(), live.step() != Step.start_sent, live.cancelling(), null, null))
                .orElseGet(this::vacant);
    }

    private Vacant vacant() {
        return journal.seenOn(config.deviceId())
                .map(seen -> new Vacant(seen.fileName(), seen.busy(), seen.printCounter()))
                .orElse(Vacant.UNSEEN);
    }

    /** Prints that were taken but never sent to start go on, unless the time to start them is over. */
    private void recover() {
        for (Live live : journal.jobsOn(config.deviceId())) {
            Job job = live.job();
            if (live.step().compareTo(Step.start_sent) >= 0) {
                continue;
            }
            if (live.cancelling()) {
                end(job, Kind.jobCancelled, null);
            } else if (job.expiresAt().isBefore(clock.instant())) {
                end(job, Kind.jobRefused, "its time was over before the agent could start it");
            } else if (view.situation() instanceof Vacant vacant) {
                carryOut(new Move(
                        new Fetching(job, vacant), List.of(), List.of(), List.of(new Move.Deed.Download(job))));
            } else {
                meet(new Signal.Asked(job, objection(job)));
            }
        }
    }

    private void end(Job job, Kind kind, @Nullable String message) {
        carryOut(Move.to(view.situation()).mark(job, Step.ended).tell(kind, job, message));
    }

    private void meet(Signal signal) {
        carryOut(moves.next(view.situation(), signal));
    }

    private void carryOut(Move move) {
        carryOut(move, List.of());
    }

    /** Whatever one look shows is written at once, and that the bed was used first: the API never hears half of it. */
    private void carryOut(Move move, List<Note> edges) {
        List<Entry> entries = new ArrayList<>();
        move.marks()
                .forEach(mark -> entries.add(
                        new Entry.Reached(mark.job().jobId(), mark.job().attempt(), mark.step())));
        if (move.next() instanceof Vacant(String file, boolean busy, String counter)
                && file != null
                && !move.next().equals(vacant())) {
            entries.add(new Entry.Seen(config.deviceId(), file, busy, counter, clock.instant()));
        }
        List<Note> notes = new ArrayList<>(edges);
        for (Move.Tale tale : move.tales()) {
            notes.add(tale.kind() == Kind.printerChanged ? 0 : notes.size(), note(tale));
        }
        journal.write(entries, notes);
        move.marks().forEach(mark -> CrashPoint.reached(mark.step().name()));
        view = view.in(move.next());
        bulletin.state(config.deviceId(), state());
        if (!notes.isEmpty()) {
            bulletin.events();
        }
        move.deeds().forEach(errands::run);
    }

    private Note note(Move.Tale told) {
        Move.Tale tale = stopped(told);
        Reading reading = view.reading();
        Reading.File file = reading == null ? null : reading.file();
        boolean begun =
                tale.kind() != Kind.jobStarted && tale.kind() != Kind.jobRefused && tale.kind() != Kind.jobNotBegun;
        JobFile shown = file == null ? null : JobFile.of(file.name());
        boolean same =
                shown != null && shown.jobId().equals(tale.jobId()) && Objects.equals(shown.attempt(), tale.attempt());
        Reading.@Nullable File printed = begun && same ? file : null;
        return new Note(
                config.deviceId(),
                tale.kind(),
                tale.jobId(),
                tale.attempt(),
                tale.message(),
                printed == null ? null : printed.elapsedSeconds(),
                printed == null ? null : printed.usedGrams());
    }

    /** A job that an emergency stop ended has failed by it, whatever the printer calls that. */
    private Move.Tale stopped(Move.Tale tale) {
        Job job = stopped;
        boolean ended = tale.kind() == Kind.jobFailed || tale.kind() == Kind.jobCancelled;
        if (job == null
                || !ended
                || !job.jobId().equals(tale.jobId())
                || !Objects.equals(job.attempt(), tale.attempt())) {
            return tale;
        }
        return new Move.Tale(Kind.jobFailed, tale.jobId(), tale.attempt(), "emergency stop");
    }

    private Note note(Kind kind, @Nullable String message) {
        return new Note(config.deviceId(), kind, null, null, message, null, null);
    }

    private List<Note> edges(@Nullable Reading before, Reading after) {
        List<Note> notes = new ArrayList<>();
        if (before == null) {
            notes.add(note(Kind.printerOnline, null));
        }
        String fault = after.fault();
        if (fault != null && (before == null || !fault.equals(before.fault()))) {
            notes.add(note(Kind.printerError, fault));
        }
        return notes;
    }

    private void tell(List<Note> notes) {
        if (!notes.isEmpty()) {
            journal.write(List.of(), notes);
            bulletin.events();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        inbox.close();
        errands.close();
        try {
            if (thread.getState() != Thread.State.NEW && !thread.join(ENDING)) {
                LOG.warn("{}: its thread has not ended", config.name());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
