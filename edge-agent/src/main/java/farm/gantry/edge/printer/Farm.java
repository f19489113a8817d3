package farm.gantry.edge.printer;

import farm.gantry.edge.camera.Picture;
import farm.gantry.edge.file.Cache;
import farm.gantry.edge.journal.CrashPoint;
import farm.gantry.edge.journal.Entry;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.journal.Journal.Note;
import farm.gantry.edge.journal.Step;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.PrinterState;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import farm.gantry.wire.LinkRequest.Ack;
import farm.gantry.wire.LinkRequest.Kind;
import farm.gantry.wire.LinkRequest.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

/** The printers this agent serves, and the door through which commands come to them. */
public final class Farm implements AutoCloseable {
    private final Function<PrinterConfig, Provider> providers;
    private final Journal journal;
    private final Cache cache;
    private final Moves moves;
    private final Whereabouts whereabouts = new Whereabouts();
    private final Bulletin bulletin;
    private final InstantSource clock;
    private final ConcurrentMap<String, PrinterLoop> loops = new ConcurrentHashMap<>();

    /** {@code grace}: how long a printer may show another file than ours before our print is given up. */
    public Farm(
            Function<PrinterConfig, Provider> providers,
            Journal journal,
            Cache cache,
            Duration grace,
            Bulletin bulletin,
            InstantSource clock) {
        this.providers = providers;
        this.journal = journal;
        this.cache = cache;
        this.moves = new Moves(grace);
        this.bulletin = bulletin;
        this.clock = clock;
    }

    /** Serves exactly these printers; one whose configuration is unchanged is not disturbed. */
    public synchronized void serve(List<PrinterConfig> configs) {
        Map<String, PrinterConfig> wanted =
                configs.stream().collect(Collectors.toMap(PrinterConfig::deviceId, config -> config, (one, _) -> one));
        loops.values().removeIf(loop -> {
            boolean stays = loop.config().equals(wanted.get(loop.config().deviceId()));
            if (!stays) {
                loop.close();
            }
            return !stays;
        });
        wanted.forEach((deviceId, config) -> loops.computeIfAbsent(deviceId, _ -> begun(config)));
    }

    private PrinterLoop begun(PrinterConfig config) {
        Provider provider = providers.apply(config);
        Files files = Files.of(cache, provider.abilities());
        PrinterLoop loop = new PrinterLoop(
                config,
                listener -> whereabouts.connect(provider, config, listener),
                moves,
                journal,
                files,
                bulletin,
                clock);
        loop.begin();
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

    /** What a printer's camera shows now; empty for a printer that this agent does not serve. */
    public Optional<Picture> snapshot(String deviceId) throws IOException, Refusal, InterruptedException {
        PrinterLoop loop = loops.get(deviceId);
        return loop == null ? Optional.empty() : Optional.of(loop.snapshot());
    }

    /**
     * Takes each command of one answer into the journal, then acts on it, and says which; the same command is acted on
     * once, and a print that a later one cancels not at all.
     */
    public synchronized void take(List<Command> commands, Consumer<Ack> acks) {
        Set<Command.Cancel> cancels = commands.stream()
                .map(Command::action)
                .flatMap(action -> action instanceof Command.Cancel cancel ? Stream.of(cancel) : Stream.empty())
                .collect(Collectors.toSet());
        commands.forEach(command -> acks.accept(take(command, cancels)));
    }

    private Ack take(Command command, Set<Command.Cancel> cancels) {
        if (journal.knows(command.commandId())) {
            return taken(command);
        }
        if (command.expiresAt().isBefore(clock.instant())) {
            return new Ack(command.commandId(), Outcome.expired, null);
        }
        PrinterLoop loop = loops.get(command.deviceId());
        return switch (command.action()) {
            case Command.Print print
            when cancels.contains(new Command.Cancel(print.jobId(), print.attempt())) -> {
                keep(command, List.of(), List.of());
                yield taken(command);
            }
            case Command.Print print -> print(command, print, loop);
            case Command.Cancel cancel -> cancel(command, cancel, loop);
            case Command.Pause pause -> pass(command, loop, new Signal.PauseAsked(pause.jobId(), pause.attempt()));
            case Command.Resume resume -> pass(command, loop, new Signal.ResumeAsked(resume.jobId(), resume.attempt()));
            case Command.Send send -> {
                if (loop == null) {
                    yield notServed(command);
                }
                keep(command, List.of(), List.of());
                loop.send(command.commandId(), send);
                yield taken(command);
            }
        };
    }

    private Ack print(Command command, Command.Print print, @Nullable PrinterLoop loop) {
        int latest = journal.attempt(print.jobId());
        if (print.attempt() < latest) {
            String message = "attempt " + latest + " of the job was seen before attempt " + print.attempt();
            return new Ack(command.commandId(), Outcome.refused, message);
        }
        if (print.attempt() == latest) {
            keep(command, List.of(), List.of());
            return taken(command);
        }
        if (loop == null) {
            return notServed(command);
        }
        Job job = Job.of(command, print);
        keep(command, List.of(new Entry.Asked(job)), List.of());
        CrashPoint.reached(Step.taken.name());
        loop.ask(job);
        return taken(command);
    }

    /** A job that is not live here is over already, or never came: either way it is told as cancelled. */
    private Ack cancel(Command command, Command.Cancel cancel, @Nullable PrinterLoop loop) {
        boolean live =
                loop != null && journal.job(cancel.jobId(), cancel.attempt()).isPresent();
        if (loop == null || !live) {
            Note note = new Note(
                    command.deviceId(),
                    Kind.jobCancelled,
                    cancel.jobId(),
                    cancel.attempt(),
                    "the job is not on this printer",
                    null,
                    null);
            keep(command, List.of(), List.of(note));
            bulletin.events();
            return taken(command);
        }
        keep(command, List.of(new Entry.Cancelling(cancel.jobId(), cancel.attempt())), List.of());
        loop.hear(new Signal.CancelAsked(cancel.jobId(), cancel.attempt()));
        return taken(command);
    }

    private Ack pass(Command command, @Nullable PrinterLoop loop, Signal signal) {
        if (loop == null) {
            return notServed(command);
        }
        keep(command, List.of(), List.of());
        loop.hear(signal);
        return taken(command);
    }

    private void keep(Command command, List<Entry> more, List<Note> notes) {
        List<Entry> entries = new ArrayList<>(more);
        entries.addFirst(new Entry.Taken(command.commandId(), clock.instant()));
        journal.write(entries, notes);
    }

    private static Ack taken(Command command) {
        return new Ack(command.commandId(), Outcome.taken, null);
    }

    private static Ack notServed(Command command) {
        return new Ack(command.commandId(), Outcome.refused, "this agent serves no printer " + command.deviceId());
    }

    @Override
    public void close() {
        loops.values().forEach(PrinterLoop::close);
        loops.clear();
    }
}
