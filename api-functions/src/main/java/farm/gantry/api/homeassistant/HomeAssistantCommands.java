package farm.gantry.api.homeassistant;

import static java.nio.charset.StandardCharsets.UTF_8;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.job.lifecycle.JobCancellation;
import farm.gantry.api.job.lifecycle.JobCommands;
import farm.gantry.api.printer.ManualCommands;
import farm.gantry.api.printer.command.AgentSignals;
import farm.gantry.api.printer.readiness.PrinterReadiness;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.security.Caller;
import farm.gantry.job.PrintJob;
import farm.gantry.json.Tree;
import farm.gantry.printer.Printer;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes commands that Home Assistant sends, by the rules of the HTTP operations. A command names the print, or the
 * state of the bed, that was shown when it was sent. It is ignored if that is over, if it was sent more than a minute
 * ago, if the broker had retained it, and if it was executed already.
 */
@Singleton
final class HomeAssistantCommands {
    private static final Logger LOG = LoggerFactory.getLogger(HomeAssistantCommands.class);
    private static final Argument<Map<String, Object>> OBJECT = Argument.mapOf(String.class, Object.class);

    /** Maximum age of a command, less than the shortest print takes. */
    private static final Duration MAX_AGE = Duration.ofMinutes(1);

    private static final Duration WARNING_INTERVAL = Duration.ofSeconds(5);

    static final int MAX_BYTES = 1024;
    private static final double MILLIS = 1000;
    private static final String ON = "on";
    private static final Set<String> SWITCH_STATES = Set.of(ON, "off");
    private static final Pattern PRINT = Pattern.compile("([a-z0-9]{24})/[0-9]{1,9}");

    private final Database database;
    private final Table<Printer> printers;
    private final Table<PrintJob> jobs;
    private final PrinterDevices devices;
    private final DeviceDescriptions descriptions;
    private final JobCommands jobCommands;
    private final JobCancellation cancellation;
    private final PrinterReadiness readiness;
    private final ManualCommands manual;
    private final Scheduler scheduler;
    private final AgentSignals agents;
    private final JsonMapper mapper;
    private final InstantSource clock;

    /** Time of the last executed command of each printer and kind. */
    private final Map<HomeAssistantTopics.CommandTarget, Double> executed = new ConcurrentHashMap<>();

    private final AtomicLong warnedAtMillis = new AtomicLong();

    HomeAssistantCommands(
            Database database,
            Tables tables,
            PrinterDevices devices,
            DeviceDescriptions descriptions,
            JobCommands jobCommands,
            JobCancellation cancellation,
            PrinterReadiness readiness,
            ManualCommands manual,
            Scheduler scheduler,
            AgentSignals agents,
            JsonMapper mapper,
            InstantSource clock) {
        this.database = database;
        this.printers = tables.of(Printer.class);
        this.jobs = tables.of(PrintJob.class);
        this.devices = devices;
        this.descriptions = descriptions;
        this.jobCommands = jobCommands;
        this.cancellation = cancellation;
        this.readiness = readiness;
        this.manual = manual;
        this.scheduler = scheduler;
        this.agents = agents;
        this.mapper = mapper;
        this.clock = clock;
    }

    /** A message at a topic of a command. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Message(String topic, byte[] payload, boolean retained) {}

    /** The result of a command. */
    enum Outcome {
        DONE,
        /** It does not apply now, or no longer. */
        IGNORED,
        /** It is not a command. */
        INVALID,
        /** The rules of the farm forbid it. */
        REJECTED
    }

    /** Executes the command of a message; only then is the key read. */
    Outcome execute(Supplier<Caller> key, HomeAssistantTopics topics, Message message) {
        HomeAssistantTopics.CommandTarget target =
                topics.findCommand(message.topic()).orElse(null);
        Map<String, Object> body = read(message.payload());
        Double sentAt = Tree.number(body, "at");
        if (target == null || sentAt == null) {
            LOG.debug("a message at {} is not a command of Home Assistant and is ignored", message.topic());
            return Outcome.INVALID;
        }
        String name = "command " + target.command() + " of Home Assistant for printer " + target.printerId();
        double ageSeconds = clock.millis() / MILLIS - sentAt;
        if (message.retained()) {
            warn(name + " is ignored, because it is retained; publish commands without the retain flag");
            return Outcome.IGNORED;
        } else if (!(Math.abs(ageSeconds) <= MAX_AGE.toSeconds())) {
            warn(name + " is ignored, because it was sent " + Math.round(ageSeconds)
                    + " s ago; check that both clocks are right");
            return Outcome.IGNORED;
        }
        try {
            Outcome outcome = execute(key.get(), target, body, sentAt);
            switch (outcome) {
                case DONE -> LOG.info("{} is executed", name);
                case IGNORED -> warn(name + " is ignored, because it does not apply any more");
                case INVALID, REJECTED -> warn(name + " is ignored, because the printer does not have what it names");
            }
            return outcome;
        } catch (ProblemException e) {
            warn(name + " is rejected: " + e.problem().message());
            return Outcome.REJECTED;
        }
    }

    /** Logs a warning unless one was logged shortly before, so that a flood of messages does not fill the log. */
    private void warn(String problem) {
        long now = clock.millis();
        long last = warnedAtMillis.get();
        if (now - last > WARNING_INTERVAL.toMillis() && warnedAtMillis.compareAndSet(last, now)) {
            LOG.warn("{}", problem);
        } else {
            LOG.debug("{}", problem);
        }
    }

    private Map<String, Object> read(byte[] payload) {
        try {
            return payload.length > MAX_BYTES
                    ? Map.of()
                    : Objects.requireNonNullElse(mapper.readValue(new String(payload, UTF_8), OBJECT), Map.of());
        } catch (IOException e) {
            return Map.of();
        }
    }

    private Outcome execute(
            Caller caller, HomeAssistantTopics.CommandTarget target, Map<String, Object> body, double sentAt) {
        String printerId = target.printerId();
        return switch (target.command()) {
            case PAUSE -> executeOnJob(caller, target, body, sentAt, jobCommands::pause);
            case RESUME -> executeOnJob(caller, target, body, sentAt, jobCommands::resume);
            case STOP ->
                executeOnJob(
                        caller,
                        target,
                        body,
                        sentAt,
                        (tx, job) -> cancellation.cancel(tx, job).isPresent());
            case BED_CLEARED -> {
                caller.requirePermission(Permission.PRINTER_READY);
                Outcome outcome = database.in(caller, tx -> {
                    Printer printer =
                            printers.lockRequired(tx, List.of(printerId)).getFirst();
                    boolean isCurrent = devices.find(tx, printer).bedToken().equals(Tree.text(body, "bedToken"));
                    if (!isCurrent || !claim(target, sentAt)) {
                        return Outcome.IGNORED;
                    }
                    readiness.setReady(tx, List.of(printer), true);
                    return Outcome.DONE;
                });
                afterChange(caller);
                yield outcome;
            }
            case LIGHT -> {
                String state = Tree.text(body, "light");
                caller.requirePermission(Permission.PRINTER_CONTROL);
                Optional<String> light = database.in(
                        caller,
                        tx -> descriptions.findLight(
                                printers.lockRequired(tx, List.of(printerId)).getFirst()));
                if (light.isEmpty() || state == null || !SWITCH_STATES.contains(state)) {
                    yield Outcome.INVALID;
                }
                if (!claim(target, sentAt)) {
                    yield Outcome.IGNORED;
                }
                manual.switchLight(caller, printerId, light.get(), state.equals(ON));
                yield Outcome.DONE;
            }
        };
    }

    /** Locks the job before its printer, as the HTTP operations do. */
    private Outcome executeOnJob(
            Caller caller,
            HomeAssistantTopics.CommandTarget target,
            Map<String, Object> body,
            double sentAt,
            BiPredicate<Tx, PrintJob> command) {
        caller.requirePermission(Permission.QUEUE_MANAGE);
        Matcher named = PRINT.matcher(Objects.requireNonNullElse(Tree.text(body, "print"), ""));
        if (!named.matches()) {
            return Outcome.IGNORED; // the printer had no job of the farm
        }
        Outcome outcome = database.in(caller, tx -> {
            PrintJob job = jobs.lock(tx, named.group(1)).orElse(null);
            boolean isCurrent = job != null
                    && target.printerId().equals(job.assignedPrinterId())
                    && named.group().equals(PrinterDevice.printToken(job));
            return isCurrent && claim(target, sentAt) && command.test(tx, job) ? Outcome.DONE : Outcome.IGNORED;
        });
        afterChange(caller);
        return outcome;
    }

    /** Returns whether the command was sent after the last one of its kind that was executed. */
    private boolean claim(HomeAssistantTopics.CommandTarget target, double sentAt) {
        AtomicBoolean isNew = new AtomicBoolean();
        executed.compute(target, (_, last) -> {
            isNew.set(last == null || sentAt > last);
            return isNew.get() ? sentAt : last;
        });
        return isNew.get();
    }

    private void afterChange(Caller caller) {
        scheduler.trigger(caller.store());
        agents.signal(caller.store());
    }
}
