package farm.gantry.edge.printer;

import farm.gantry.CrashPoint;
import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.file.FileCache;
import farm.gantry.edge.file.FilesOnPrinters;
import farm.gantry.edge.journal.ActiveJob;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.JournalEntry;
import farm.gantry.edge.journal.NewEvent;
import farm.gantry.edge.printer.connection.PrinterAddresses;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.printer.state.PrinterEvent;
import farm.gantry.edge.printer.state.Transitions;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.time.ServerClock;
import farm.gantry.printer.PrinterState;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest.Ack;
import farm.gantry.wire.LinkRequest.Kind;
import farm.gantry.wire.LinkRequest.Outcome;
import farm.gantry.wire.LinkResponse.PrinterConfig;
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
    /**
     * Printers that are no longer served, whose unstarted jobs must be returned to the API once the journal can be
     * written.
     */
    private final Set<String> givenUp = ConcurrentHashMap.newKeySet();

    /** The ids of the emergency stops that were sent and are not journaled yet. */
    private final Set<String> sentStops = ConcurrentHashMap.newKeySet();

    /**
     * Creates a fleet without printers. {@code grace} is how long a printer may show a file other than ours before our
     * print is given up.
     */
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
     * Serves exactly these printers, and keeps the connections of those whose configuration is unchanged. If the
     * journal cannot be written, throws and adds no printer; the next call then returns the unstarted jobs of removed
     * printers.
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
                if (next == null || isAtOtherAddress(loop.config(), next)) {
                    givenUp.add(loop.config().deviceId());
                }
            }
            return !stays;
        });
        givenUp.removeIf(deviceId -> {
            returnUnstartedJobs(deviceId);
            return true;
        });
        wanted.forEach((deviceId, config) -> loops.computeIfAbsent(deviceId, _ -> startLoop(config)));
    }

    private static boolean isAtOtherAddress(PrinterConfig before, PrinterConfig next) {
        return before.provider() != next.provider() || !Objects.equals(before.metadata(), next.metadata());
    }

    /**
     * Returns the unstarted jobs of a removed or moved printer to the API, so that they start neither on another
     * machine nor on this one when it is served again.
     */
    private void returnUnstartedJobs(String deviceId) {
        for (ActiveJob live : journal.jobsOn(deviceId)) {
            if (live.step().compareTo(JobStep.start_sent) < 0) {
                Job job = live.job();
                NewEvent event = new NewEvents(deviceId)
                        .jobEvent(
                                live.cancelling() ? Kind.jobCancelled : Kind.jobRefused,
                                job.jobId(),
                                job.attempt(),
                                "the printer's configuration changed before the print began");
                journal.write(
                        List.of(new JournalEntry.JobStepReached(job.jobId(), job.attempt(), JobStep.ended)),
                        List.of(event));
                reporter.eventsRecorded();
            }
        }
    }

    private PrinterLoop startLoop(PrinterConfig config) {
        Provider provider = providers.apply(config);
        Set<Provider.Ability> abilities = provider.abilities();
        PrintableFiles files = PrintableFiles.of(cache, onPrinters, abilities);
        PrinterLoop loop = new PrinterLoop(
                config,
                listener -> addresses.connect(provider, config, listener),
                new Transitions(grace, provider.maxTimeUntilShown(grace), abilities),
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
    public Optional<CameraImage> snapshot(String deviceId) throws IOException, Refusal, InterruptedException {
        PrinterLoop loop = loops.get(deviceId);
        return loop == null ? Optional.empty() : Optional.of(loop.snapshot());
    }

    /**
     * Journals, carries out and acknowledges each command of one response of the API, and throws if the journal cannot
     * be written. A command is carried out once. A print that a later command of this response cancels is not carried
     * out. Jobs of the agent's previous run continue after the first response, because only then are the time and the
     * cancelled jobs known.
     */
    public synchronized void applyCommands(List<Command> commands, Consumer<Ack> acks) {
        if (!clockKnown && ServerClock.isKnown(clock)) {
            clockKnown = true;
            loops.values().forEach(PrinterLoop::judgeUnobservedGap);
        }
        Set<Command.Cancel> cancels = commands.stream()
                .map(Command::action)
                .flatMap(action -> action instanceof Command.Cancel cancel ? Stream.of(cancel) : Stream.empty())
                .collect(Collectors.toSet());
        for (Command command : commands) {
            Ack ack = applyCommands(command, cancels);
            journal.writeUnwritten();
            acks.accept(ack);
        }
        if (clockKnown) {
            loops.values().forEach(PrinterLoop::resumePreviousJob);
        }
    }

    /**
     * Sends the emergency stops among these commands, each once, without waiting for the journal, another printer or
     * another thread. {@link #applyCommands} journals them afterwards.
     */
    public void sendEmergencyStops(List<Command> commands) {
        for (Command command : commands) {
            PrinterLoop loop = loops.get(command.deviceId());
            if (loop != null
                    && command.action() instanceof Command.Send send
                    && send.command().equals(PrinterConnection.EMERGENCY_STOP)
                    && !command.expiresAt().isBefore(clock.instant())
                    && !journal.isKnownCommand(command.commandId())
                    && sentStops.add(command.commandId())) {
                loop.send(command.commandId(), send);
            }
        }
    }

    /**
     * Carries out the commands that stop a machine, called when the journal cannot be written: a stop does not wait for
     * a disk. The commands are acknowledged once they are journaled; until then the API redelivers them.
     */
    public synchronized void carryOutStops(List<Command> commands) {
        for (Command command : commands) {
            if (command.action().onlyStopsMachine() && !journal.isKnownCommand(command.commandId())) {
                try {
                    applyCommands(command, Set.of());
                } catch (UncheckedIOException e) {
                    LOG.debug("command {} found nothing to stop: {}", command.action(), e.getMessage());
                }
            }
        }
    }

    private Ack applyCommands(Command command, Set<Command.Cancel> cancels) {
        boolean isKnown = journal.isKnownCommand(command.commandId());
        if (command.action() instanceof Command.Print print
                && (isKnown || print.attempt() <= journal.latestAttempt(print.jobId()))) {
            return checkDuplicate(command, print);
        }
        if (isKnown) {
            return acknowledge(command);
        }
        if (command.expiresAt().isBefore(clock.instant())) {
            if (command.action() instanceof Command.Print print) {
                journal.write(List.of(fenceEntry(print.jobId(), print.attempt())), List.of());
            }
            return new Ack(command.commandId(), Outcome.expired, null);
        }
        PrinterLoop loop = loops.get(command.deviceId());
        return switch (command.action()) {
            case Command.Print print
            when cancels.contains(new Command.Cancel(print.jobId(), print.attempt())) -> {
                journalCommand(command, List.of(), List.of());
                yield acknowledge(command);
            }
            case Command.Print print -> acceptPrint(command, print, loop);
            case Command.Cancel cancel -> acceptCancel(command, cancel, loop);
            case Command.Pause pause ->
                journalAndForward(
                        command,
                        loop,
                        new JournalEntry.Pausing(pause.jobId(), pause.attempt(), true),
                        new PrinterEvent.PauseRequested(pause.jobId(), pause.attempt()));
            case Command.Resume resume ->
                journalAndForward(
                        command,
                        loop,
                        new JournalEntry.Pausing(resume.jobId(), resume.attempt(), false),
                        new PrinterEvent.ResumeRequested(resume.jobId(), resume.attempt()));
            case Command.Send send -> {
                if (loop == null) {
                    yield rejectNotServed(command);
                }
                journalCommand(command, List.of(), List.of());
                if (!sentStops.remove(command.commandId())) {
                    loop.send(command.commandId(), send);
                }
                yield acknowledge(command);
            }
        };
    }

    /**
     * Returns the acknowledgement of an attempt that was accepted before, for example because a restored database sends
     * it again. Refuses an attempt that has ended or is on another printer, so that its job gets a new attempt; but
     * acknowledges one whose end the API has not received yet, because its print may be completed.
     */
    private Ack checkDuplicate(Command command, Command.Print print) {
        boolean isTaken = journal.job(print.jobId(), print.attempt())
                .map(live -> live.job().deviceId().equals(command.deviceId()))
                .orElseGet(() -> hasUndeliveredEnd(print));
        return isTaken
                ? acknowledge(command)
                : new Ack(
                        command.commandId(),
                        Outcome.refused,
                        "attempt " + print.attempt() + " of the job has ended, or is on another printer");
    }

    private boolean hasUndeliveredEnd(Command.Print print) {
        return journal.undeliveredEvents(Integer.MAX_VALUE).stream()
                .anyMatch(event ->
                        print.jobId().equals(event.jobId()) && Objects.equals(print.attempt(), event.attempt()));
    }

    private Ack acceptPrint(Command command, Command.Print print, @Nullable PrinterLoop loop) {
        if (loop == null) {
            return rejectNotServed(command);
        }
        Optional<String> other = findDuplicateEntry(loop.config());
        if (other.isPresent()) {
            String message = "printer " + other.get() + " is the same machine, registered twice: delete one of them";
            return new Ack(command.commandId(), Outcome.refused, message);
        }
        Job job = Job.of(command, print);
        journalCommand(command, List.of(new JournalEntry.PrintAccepted(job)), List.of());
        CrashPoint.reached(JobStep.taken.name());
        loop.requestPrint(job);
        return acknowledge(command);
    }

    /**
     * Returns the name of another served printer that has the same address or serial number and so the same bed; empty
     * if there is none.
     */
    private Optional<String> findDuplicateEntry(PrinterConfig config) {
        return configs().stream()
                .filter(other -> !other.deviceId().equals(config.deviceId()))
                .filter(other -> PrinterAddresses.isSameMachine(config, other, providers))
                .map(PrinterConfig::name)
                .findFirst();
    }

    /** Cancels a job. A job that is not active here has ended or never arrived; both are reported as cancelled. */
    private Ack acceptCancel(Command command, Command.Cancel cancel, @Nullable PrinterLoop loop) {
        boolean live =
                loop != null && journal.job(cancel.jobId(), cancel.attempt()).isPresent();
        if (loop == null || !live) {
            NewEvent event = new NewEvents(command.deviceId())
                    .jobEvent(Kind.jobCancelled, cancel.jobId(), cancel.attempt(), "the job is not on this printer");
            journalCommand(command, List.of(fenceEntry(cancel.jobId(), cancel.attempt())), List.of(event));
            reporter.eventsRecorded();
            return acknowledge(command);
        }
        journalCommand(command, List.of(new JournalEntry.Cancelling(cancel.jobId(), cancel.attempt())), List.of());
        loop.handle(new PrinterEvent.CancelRequested(cancel.jobId(), cancel.attempt()));
        return acknowledge(command);
    }

    /**
     * Returns a journal entry that prevents a delayed, older response of the API from starting an attempt that has
     * already ended.
     */
    private JournalEntry fenceEntry(String jobId, int attempt) {
        return new JournalEntry.Fence(jobId, attempt, clock.instant());
    }

    private Ack journalAndForward(Command command, @Nullable PrinterLoop loop, JournalEntry entry, PrinterEvent event) {
        if (loop == null) {
            return rejectNotServed(command);
        }
        journalCommand(command, List.of(entry), List.of());
        loop.handle(event);
        return acknowledge(command);
    }

    private void journalCommand(Command command, List<JournalEntry> more, List<NewEvent> events) {
        List<JournalEntry> entries = new ArrayList<>(more);
        entries.addFirst(new JournalEntry.CommandAccepted(command.commandId(), clock.instant()));
        if (command.action().onlyStopsMachine() && events.isEmpty()) {
            journal.applyUnwritten(entries);
        } else {
            journal.write(entries, events);
        }
    }

    private static Ack acknowledge(Command command) {
        return new Ack(command.commandId(), Outcome.taken, null);
    }

    private static Ack rejectNotServed(Command command) {
        return new Ack(command.commandId(), Outcome.refused, "this agent serves no printer " + command.deviceId());
    }

    @Override
    public synchronized void close() {
        closed = true;
        loops.values().forEach(PrinterLoop::close);
        loops.clear();
    }
}
