package farm.gantry.edge.printer;

import farm.gantry.CrashPoint;
import farm.gantry.edge.camera.CameraPicture;
import farm.gantry.edge.file.FileCache;
import farm.gantry.edge.file.FilesOnPrinters;
import farm.gantry.edge.journal.ActiveJob;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.NewEvent;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.time.ServerClock;
import farm.gantry.printer.PrinterState;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import farm.gantry.wire.LinkRequest.Ack;
import farm.gantry.wire.LinkRequest.Kind;
import farm.gantry.wire.LinkRequest.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The printers that this agent serves. Commands from the API reach them here. */
public final class PrinterFleet implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PrinterFleet.class);

    private final Function<PrinterConfig, Provider> providers;
    private final Journal journal;
    private final FileCache cache;
    private final FilesOnPrinters onPrinters;
    private final Duration grace;
    private final PrinterAddresses addresses = new PrinterAddresses();
    private final PrinterReporter reporter;
    private final InstantSource clock;
    private volatile boolean closed;
    private volatile boolean clockKnown;
    private final ConcurrentMap<String, PrinterLoop> loops = new ConcurrentHashMap<>();
    /** Printers whose unstarted jobs must be returned to the API, once the journal can be written. */
    private final Set<String> givenUp = ConcurrentHashMap.newKeySet();

    /** The ids of the emergency stops that were sent and are not journaled yet. */
    private final Set<String> sentStops = ConcurrentHashMap.newKeySet();

    /** {@code grace}: how long a printer may show another file than ours before our print is given up. */
    public PrinterFleet(
            Function<PrinterConfig, Provider> providers,
            Journal journal,
            FileCache cache,
            FilesOnPrinters onPrinters,
            Duration grace,
            PrinterReporter reporter,
            InstantSource clock) {
        this.providers = providers;
        this.journal = journal;
        this.cache = cache;
        this.onPrinters = onPrinters;
        this.grace = grace;
        this.reporter = reporter;
        this.clock = clock;
    }

    /**
     * Serves exactly these printers; keeps connections whose configuration is unchanged. If the journal cannot be
     * written, throws and adds no printer; the next call returns the unstarted jobs.
     */
    public synchronized void serve(List<PrinterConfig> configs) {
        if (closed) {
            return; // a delayed answer of the API
        }
        Map<String, PrinterConfig> wanted =
                configs.stream().collect(Collectors.toMap(PrinterConfig::deviceId, config -> config, (one, _) -> one));
        loops.values().removeIf(loop -> {
            PrinterConfig next = wanted.get(loop.config().deviceId());
            boolean stays = loop.config().equals(next);
            if (!stays) {
                loop.close();
                if (next == null || isElsewhere(loop.config(), next)) {
                    givenUp.add(loop.config().deviceId());
                }
            }
            return !stays;
        });
        givenUp.removeIf(deviceId -> {
            giveBackUnstarted(deviceId);
            return true;
        });
        wanted.forEach((deviceId, config) -> loops.computeIfAbsent(deviceId, _ -> started(config)));
    }

    private static boolean isElsewhere(PrinterConfig before, PrinterConfig next) {
        return before.provider() != next.provider() || !Objects.equals(before.metadata(), next.metadata());
    }

    /**
     * Returns unstarted jobs to the API: a job is neither begun on another machine, nor on this one when it is served
     * again.
     */
    private void giveBackUnstarted(String deviceId) {
        for (ActiveJob live : journal.jobsOn(deviceId)) {
            if (live.step().compareTo(JobStep.start_sent) < 0) {
                Job job = live.job();
                NewEvent event = new NewEvents(deviceId)
                        .ofJob(
                                live.cancelling() ? Kind.jobCancelled : Kind.jobRefused,
                                job.jobId(),
                                job.attempt(),
                                "the printer's configuration changed before the print began");
                journal.write(
                        List.of(new JournalEntry.JobStepReached(job.jobId(), job.attempt(), JobStep.ended)),
                        List.of(event));
                reporter.events();
            }
        }
    }

    private PrinterLoop started(PrinterConfig config) {
        Provider provider = providers.apply(config);
        Set<Provider.Ability> abilities = provider.abilities();
        PrintableFiles files = PrintableFiles.of(cache, onPrinters, abilities);
        PrinterLoop loop = new PrinterLoop(
                config,
                listener -> addresses.connect(provider, config, listener),
                new Transitions(grace, provider.untilShown(grace), abilities),
                journal,
                files,
                reporter,
                clock);
        loop.start();
        return loop;
    }

    public Map<String, PrinterState> states() {
        Map<String, PrinterState> states = new TreeMap<>();
        loops.forEach((deviceId, loop) -> states.put(deviceId, loop.state()));
        return states;
    }

    public List<PrinterConfig> configs() {
        return loops.values().stream().map(PrinterLoop::config).toList();
    }

    /** Returns the printer's camera image; empty for a printer that this agent does not serve. */
    public Optional<CameraPicture> snapshot(String deviceId) throws IOException, Refusal, InterruptedException {
        PrinterLoop loop = loops.get(deviceId);
        return loop == null ? Optional.empty() : Optional.of(loop.snapshot());
    }

    /**
     * Journals, carries out and acknowledges each command of one answer, and throws if the journal cannot be written. A
     * command is carried out once; a print that a later command of the same answer cancels is not carried out. Jobs of
     * the agent's previous run continue after the first answer, which tells the time and the cancelled jobs.
     */
    public synchronized void take(List<Command> commands, Consumer<Ack> acks) {
        if (!clockKnown && ServerClock.isKnown(clock)) {
            clockKnown = true;
            loops.values().forEach(PrinterLoop::judgeGap);
        }
        Set<Command.Cancel> cancels = commands.stream()
                .map(Command::action)
                .flatMap(action -> action instanceof Command.Cancel cancel ? Stream.of(cancel) : Stream.empty())
                .collect(Collectors.toSet());
        for (Command command : commands) {
            Ack ack = take(command, cancels);
            journal.writeHeld();
            acks.accept(ack);
        }
        if (clockKnown) {
            loops.values().forEach(PrinterLoop::resume);
        }
    }

    /**
     * Sends the emergency stops among these commands, each once, without waiting for the journal, another printer or
     * another thread. {@link #take} journals them afterwards.
     */
    public void sendEmergencyStops(List<Command> commands) {
        for (Command command : commands) {
            PrinterLoop loop = loops.get(command.deviceId());
            if (loop != null
                    && command.action() instanceof Command.Send send
                    && send.command().equals(Connection.EMERGENCY_STOP)
                    && !command.expiresAt().isBefore(clock.instant())
                    && !journal.knows(command.commandId())
                    && sentStops.add(command.commandId())) {
                loop.send(command.commandId(), send);
            }
        }
    }

    /**
     * Carries out those of the commands that stop a machine when the journal cannot be written: a stop does not wait
     * for a disk. They are acknowledged once they are written; until then the API sends them again.
     */
    public synchronized void stop(List<Command> commands) {
        for (Command command : commands) {
            if (command.action().onlyStopsMachine() && !journal.knows(command.commandId())) {
                try {
                    take(command, Set.of());
                } catch (UncheckedIOException e) {
                    LOG.debug("command {} found nothing to stop: {}", command.action(), e.getMessage());
                }
            }
        }
    }

    private Ack take(Command command, Set<Command.Cancel> cancels) {
        boolean isKnown = journal.knows(command.commandId());
        if (command.action() instanceof Command.Print print
                && (isKnown || print.attempt() <= journal.attempt(print.jobId()))) {
            return checkDuplicate(command, print);
        }
        if (isKnown) {
            return acknowledged(command);
        }
        if (command.expiresAt().isBefore(clock.instant())) {
            if (command.action() instanceof Command.Print print) {
                journal.write(List.of(fence(print.jobId(), print.attempt())), List.of());
            }
            return new Ack(command.commandId(), Outcome.expired, null);
        }
        PrinterLoop loop = loops.get(command.deviceId());
        return switch (command.action()) {
            case Command.Print print
            when cancels.contains(new Command.Cancel(print.jobId(), print.attempt())) -> {
                journal(command, List.of(), List.of());
                yield acknowledged(command);
            }
            case Command.Print print -> print(command, print, loop);
            case Command.Cancel cancel -> cancel(command, cancel, loop);
            case Command.Pause pause ->
                forward(
                        command,
                        loop,
                        new JournalEntry.Pausing(pause.jobId(), pause.attempt(), true),
                        new PrinterEvent.PauseRequested(pause.jobId(), pause.attempt()));
            case Command.Resume resume ->
                forward(
                        command,
                        loop,
                        new JournalEntry.Pausing(resume.jobId(), resume.attempt(), false),
                        new PrinterEvent.ResumeRequested(resume.jobId(), resume.attempt()));
            case Command.Send send -> {
                if (loop == null) {
                    yield notServed(command);
                }
                journal(command, List.of(), List.of());
                if (!sentStops.remove(command.commandId())) {
                    loop.send(command.commandId(), send);
                }
                yield acknowledged(command);
            }
        };
    }

    /**
     * Accepts an attempt once, even if a restored database sends it again. Refuses an attempt that is over or on
     * another printer, so that its job gets a new one; but only after the API has received its end, because it may be a
     * completed print.
     */
    private Ack checkDuplicate(Command command, Command.Print print) {
        boolean isTaken = journal.job(print.jobId(), print.attempt())
                .map(live -> live.job().deviceId().equals(command.deviceId()))
                .orElseGet(() -> isToBeTold(print));
        return isTaken
                ? acknowledged(command)
                : new Ack(
                        command.commandId(),
                        Outcome.refused,
                        "attempt " + print.attempt() + " of the job has ended, or is on another printer");
    }

    private boolean isToBeTold(Command.Print print) {
        return journal.undelivered(Integer.MAX_VALUE).stream()
                .anyMatch(event ->
                        print.jobId().equals(event.jobId()) && Objects.equals(print.attempt(), event.attempt()));
    }

    private Ack print(Command command, Command.Print print, @Nullable PrinterLoop loop) {
        if (loop == null) {
            return notServed(command);
        }
        Optional<String> other = otherName(loop.config());
        if (other.isPresent()) {
            String message = "printer " + other.get() + " is the same machine, registered twice: delete one of them";
            return new Ack(command.commandId(), Outcome.refused, message);
        }
        Job job = Job.of(command, print);
        journal(command, List.of(new JournalEntry.PrintAccepted(job)), List.of());
        CrashPoint.reached(JobStep.taken.name());
        loop.requestPrint(job);
        return acknowledged(command);
    }

    /** Returns the name of another entry for the same machine, which has one bed for both. */
    private Optional<String> otherName(PrinterConfig config) {
        return configs().stream()
                .filter(other -> !other.deviceId().equals(config.deviceId()))
                .filter(other -> PrinterAddresses.isSameMachine(config, other, providers))
                .map(PrinterConfig::name)
                .findFirst();
    }

    /** Cancels a job. A job that is not active here has ended or never arrived; both are reported as cancelled. */
    private Ack cancel(Command command, Command.Cancel cancel, @Nullable PrinterLoop loop) {
        boolean live =
                loop != null && journal.job(cancel.jobId(), cancel.attempt()).isPresent();
        if (loop == null || !live) {
            NewEvent event = new NewEvents(command.deviceId())
                    .ofJob(Kind.jobCancelled, cancel.jobId(), cancel.attempt(), "the job is not on this printer");
            journal(command, List.of(fence(cancel.jobId(), cancel.attempt())), List.of(event));
            reporter.events();
            return acknowledged(command);
        }
        journal(command, List.of(new JournalEntry.Cancelling(cancel.jobId(), cancel.attempt())), List.of());
        loop.handle(new PrinterEvent.CancelRequested(cancel.jobId(), cancel.attempt()));
        return acknowledged(command);
    }

    /** Returns an entry that prevents a delayed, older answer from beginning an attempt that is already over. */
    private JournalEntry fence(String jobId, int attempt) {
        return new JournalEntry.Fence(jobId, attempt, clock.instant());
    }

    private Ack forward(Command command, @Nullable PrinterLoop loop, JournalEntry entry, PrinterEvent event) {
        if (loop == null) {
            return notServed(command);
        }
        journal(command, List.of(entry), List.of());
        loop.handle(event);
        return acknowledged(command);
    }

    private void journal(Command command, List<JournalEntry> more, List<NewEvent> events) {
        List<JournalEntry> entries = new ArrayList<>(more);
        entries.addFirst(new JournalEntry.CommandAccepted(command.commandId(), clock.instant()));
        if (command.action().onlyStopsMachine() && events.isEmpty()) {
            journal.hold(entries);
        } else {
            journal.write(entries, events);
        }
    }

    private static Ack acknowledged(Command command) {
        return new Ack(command.commandId(), Outcome.taken, null);
    }

    private static Ack notServed(Command command) {
        return new Ack(command.commandId(), Outcome.refused, "this agent serves no printer " + command.deviceId());
    }

    @Override
    public synchronized void close() {
        closed = true;
        loops.values().forEach(PrinterLoop::close);
        loops.clear();
    }
}
