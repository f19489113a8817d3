package farm.gantry.api.link;

import farm.gantry.api.camera.SnapshotRows;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.FileUrls;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.json.StorableText;
import farm.gantry.api.printer.command.AgentSignals;
import farm.gantry.api.printer.command.CommandRows;
import farm.gantry.api.printer.readiness.PrinterStateRows;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.schedule.StartWithdrawal;
import farm.gantry.api.schedule.ThrottleHoldRows;
import farm.gantry.file.FileUri;
import farm.gantry.version.ProductVersion;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest;
import farm.gantry.wire.LinkResponse;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles exchanges with agents over HTTPS and MQTT: applies events and reports, returns commands. */
@Singleton
final class LinkExchange {
    private static final Logger LOG = LoggerFactory.getLogger(LinkExchange.class);
    private static final Duration FILE_LIFE = CommandRows.START_COMMAND_LIFETIME;
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final AgentRows rows;
    private final Database database;
    private final RecordReader reader;
    private final AgentPrinters agentPrinters;
    private final ServedPrinterRows served;
    private final AgentInstances instances;
    private final LostJournalHandler lostJournal;
    private final LinkMessageHandler handler;
    private final CommandRows commands;
    private final StartWithdrawal starts;
    private final ThrottleHoldRows holds;
    private final Scheduler scheduler;
    private final AgentSignals signals;
    private final FileUrls urls;
    private final LinkSettings times;
    private final SnapshotRows snapshots;
    private final LinkRateLimit rateLimit;

    LinkExchange(
            AgentRows rows,
            Database database,
            RecordReader reader,
            AgentPrinters agentPrinters,
            ServedPrinterRows served,
            AgentInstances instances,
            LostJournalHandler lostJournal,
            LinkMessageHandler handler,
            CommandRows commands,
            StartWithdrawal starts,
            ThrottleHoldRows holds,
            Scheduler scheduler,
            AgentSignals signals,
            FileUrls urls,
            LinkSettings times,
            SnapshotRows snapshots,
            LinkRateLimit rateLimit) {
        this.rows = rows;
        this.database = database;
        this.reader = reader;
        this.agentPrinters = agentPrinters;
        this.served = served;
        this.instances = instances;
        this.lostJournal = lostJournal;
        this.handler = handler;
        this.commands = commands;
        this.starts = starts;
        this.holds = holds;
        this.scheduler = scheduler;
        this.signals = signals;
        this.urls = urls;
        this.times = times;
        this.snapshots = snapshots;
        this.rateLimit = rateLimit;
    }

    /**
     * Applies the agent's message and returns its commands. {@code wait} is the maximum time in seconds to hold an
     * empty response; {@code base} is the address under which the agent reaches this installation.
     */
    LinkResponse exchange(AgentTokens.Bearer agent, JsonNode body, int wait, String base) throws InterruptedException {
        rateLimit.check(agent.agentId());
        UnknownEvents unknown = UnknownEvents.separate(StorableText.sanitize(body), agent.agentId());
        LinkRequest message = reader.read(LinkRequest.class, unknown.body());
        Signal signal = signals.signalOf(agent.store());
        long signalVersion = signal.version();
        long ackSequence = applyUnlessConflict(agent, message, unknown.lastSequence());
        long deadline = System.nanoTime()
                + Math.clamp(
                        Duration.ofSeconds(wait).toNanos(),
                        0,
                        times.longPollTimeout().toNanos());
        LinkResponse answer = response(base, agent, message, ackSequence);
        while (answer.commands().isEmpty()
                && answer.printers() == null
                && answer.stills() == null
                && !signals.isStopping()
                && System.nanoTime() < deadline) {
            signal.await(signalVersion, Duration.ofNanos(deadline - System.nanoTime()));
            signalVersion = signal.version();
            answer = response(base, agent, message, ackSequence);
        }
        return answer;
    }

    /**
     * Turns a conflict, caused by a printer that was deleted meanwhile, into 503 so that the agent sends its printers
     * again. Older agents, which do not read error codes, would take a 409 to mean that another process is served.
     */
    private long applyUnlessConflict(AgentTokens.Bearer agent, LinkRequest message, long lastUnknown) {
        try {
            return apply(agent, message, lastUnknown);
        } catch (ProblemException e) {
            throw e.problem() instanceof Problem.Conflict
                    ? new ProblemException(
                            new Problem.Unavailable("a printer changed during the exchange; retry", RETRY_DELAY))
                    : e;
        }
    }

    /**
     * Applies the message. If that fails, applies its events one by one first, so that a faulty event does not block
     * the others.
     */
    private long apply(AgentTokens.Bearer agent, LinkRequest message, long lastUnknown) {
        try {
            return database.in(agent.store(), tx -> apply(tx, agent, message, lastUnknown));
        } catch (RuntimeException e) {
            if (message.events().isEmpty() || isRetryable(e)) {
                throw e;
            }
            LOG.warn("agent {}: message failed; applying its events one by one", agent.agentId(), e);
        }
        database.in(agent.store(), tx -> {
            lockAckSequence(tx, agent);
            onAcks(tx, agent, message, true);
            return message;
        });
        message.events().forEach(event -> applySeparately(agent, event));
        return database.in(agent.store(), tx -> apply(tx, agent, message, lastUnknown));
    }

    /** Applies one event. An event that cannot be applied is dropped, and a person must check the printer's bed. */
    private void applySeparately(AgentTokens.Bearer agent, LinkRequest.Event event) {
        try {
            onServedPrinter(agent, event, (tx, printerId) -> handler.onEvent(tx, printerId, event));
        } catch (RuntimeException e) {
            if (isRetryable(e)) {
                throw e;
            }
            LOG.error(
                    "agent {}: event {} failed and is dropped; check the bed of its printer",
                    agent.agentId(),
                    event,
                    e);
            onServedPrinter(agent, event, (tx, printerId) -> handler.onDroppedEvent(tx, printerId));
        }
    }

    /**
     * Runs the work with the id of the event's printer, null if the agent does not serve it, and acknowledges the
     * event.
     */
    private void onServedPrinter(
            AgentTokens.Bearer agent, LinkRequest.Event event, BiConsumer<Tx, @Nullable String> work) {
        database.in(agent.store(), tx -> {
            if (lockAckSequence(tx, agent) < event.sequence()) {
                work.accept(
                        tx,
                        served.printerIdsByDevice(tx, agent.agentId(), Set.of(event.deviceId()))
                                .get(event.deviceId()));
                rows.acknowledge(tx.store().value(), agent.agentId(), event.sequence());
            }
            return event;
        });
    }

    /** Returns whether the message may succeed later or its agent is no longer valid, so that its events must not be dropped. */
    private static boolean isRetryable(RuntimeException fault) {
        return fault instanceof ProblemException refused
                ? refused.problem() instanceof Problem.Unauthorized
                        || refused.problem() instanceof Problem.AgentSuperseded
                        || refused.problem() instanceof Problem.StoreMoved
                        || refused.problem() instanceof Problem.Unavailable
                : Database.isOutage(fault) || Database.isTimeout(fault);
    }

    private long lockAckSequence(Tx tx, AgentTokens.Bearer agent) {
        return rows.lockAckSequence(tx.store().value(), agent.agentId())
                .orElseThrow(() -> new ProblemException(new Problem.Unauthorized(Problem.Scheme.AgentToken)));
    }

    private long apply(Tx tx, AgentTokens.Bearer agent, LinkRequest message, long lastUnknown) {
        long lastApplied = lockAckSequence(tx, agent);
        boolean isJournalLost =
                instances.serve(tx, agent.agentId(), message.instance()) && message.sequence() < lastApplied;
        if (isJournalLost) {
            lostJournal.onLost(tx, agent.agentId());
        }
        boolean wasLost = rows.isLost(tx.store().value(), agent.agentId());
        Map<String, String> printers = wasLost
                ? served.printerIdsByDevice(tx, agent.agentId())
                : served.printerIdsByDevice(tx, agent.agentId(), deviceIds(message));
        handler.lockJobs(tx, message.events());
        onAcks(tx, agent, message, true);
        for (LinkRequest.Event event : message.events()) {
            if (event.sequence() > lastApplied) {
                lastApplied = event.sequence();
                handler.onEvent(tx, printers.get(event.deviceId()), event);
            }
        }
        lastApplied = Math.max(lastApplied, lastUnknown);
        SortedMap<String, Map<String, Object>> reports = new TreeMap<>();
        for (LinkRequest.Report report : message.reports()) {
            String printerId = printers.get(report.deviceId());
            if (printerId != null) {
                reports.putIfAbsent(printerId, report.state());
            }
        }
        boolean triggersScheduler = onReports(tx, message, printers, reports)
                || wasLost
                || isJournalLost
                || !message.events().isEmpty()
                || !message.acks().isEmpty();
        if (wasLost) {
            handler.onReconnect(
                    tx,
                    agent.agentId(),
                    printers.values().stream()
                            .filter(printerId -> !reports.containsKey(printerId))
                            .toList());
        }
        onAcks(tx, agent, message, false);
        rows.markSeen(tx.store().value(), agent.agentId(), lastApplied);
        instances.end(tx, agent.agentId(), message.instance());
        if (triggersScheduler || (!message.reports().isEmpty() && holds.isAnyAt(tx, agent.agentId()))) {
            tx.afterCommit(() -> scheduler.trigger(agent.store()));
        }
        return lastApplied;
    }

    /**
     * Processes acknowledgements. Those of taken commands come before the message's events, which may end the prints
     * that the commands change.
     */
    private void onAcks(Tx tx, AgentTokens.Bearer agent, LinkRequest message, boolean taken) {
        message.acks().stream()
                .filter(ack -> (ack.outcome() == LinkRequest.Outcome.taken) == taken)
                .forEach(ack -> handler.onAck(tx, agent.agentId(), ack));
    }

    /**
     * Applies the reports; an incomplete first report is named in the error, so that the agent starts a new session.
     */
    private boolean onReports(
            Tx tx, LinkRequest message, Map<String, String> printers, SortedMap<String, Map<String, Object>> reports) {
        try {
            return handler.onReports(tx, message.session(), reports);
        } catch (PrinterStateRows.IncompleteStateException e) {
            int index = IntStream.range(0, message.reports().size())
                    .filter(i -> e.printerId()
                            .equals(printers.get(message.reports().get(i).deviceId())))
                    .findFirst()
                    .orElseThrow();
            String path = "reports[" + index + "].state";
            throw e.member() == null
                    ? ProblemException.invalid(path, "invalid", path + " is not a printer state: begin a new session")
                    : ProblemException.invalid(
                            path + "." + e.member(),
                            "required",
                            path + "." + e.member() + " is required in the first report of a session");
        }
    }

    private static Set<String> deviceIds(LinkRequest message) {
        return Stream.concat(
                        message.events().stream().map(LinkRequest.Event::deviceId),
                        message.reports().stream().map(LinkRequest.Report::deviceId))
                .collect(Collectors.toSet());
    }

    private LinkResponse response(String base, AgentTokens.Bearer agent, LinkRequest message, long ackSequence) {
        return database.in(agent.store(), tx -> {
            boolean configChanged = agentPrinters.markSentIfChanged(tx, agent.agentId(), message.session());
            List<CommandRows.PendingCommand> pending = commands.findNext(tx, agent.agentId());
            List<Command> waiting = pending.isEmpty() || !instances.isServed(tx, agent.agentId(), message.instance())
                    ? List.of()
                    : starts.expireWithdrawn(tx, pending).stream()
                            .map(command -> withSignedUrl(base, command))
                            .toList();
            List<LinkResponse.SnapshotRequest> wanted = snapshots.claimRequests(tx, agent.agentId());
            boolean isFollowed = !wanted.isEmpty() || needsFrequentReports(tx, agent);
            boolean isAwaited = isFollowed
                    || !message.events().isEmpty()
                    || !message.acks().isEmpty()
                    || !waiting.isEmpty()
                    || rows.isAnyPrinterActive(tx.store().value(), agent.agentId());
            return new LinkResponse(
                    ackSequence,
                    configChanged ? agentPrinters.printerConfigs(tx, agent.agentId()) : null,
                    waiting,
                    pollDelay(isAwaited).toMillis(),
                    pollDelay(isFollowed).toMillis(),
                    wanted.isEmpty() ? null : wanted,
                    configChanged ? ProductVersion.CURRENT.text() : null);
        });
    }

    private Duration pollDelay(boolean isShort) {
        return isShort ? times.pollInterval() : times.idlePollInterval();
    }

    /** Returns whether a person views the agent's printers, or the scheduler waits for their temperatures. */
    private boolean needsFrequentReports(Tx tx, AgentTokens.Bearer agent) {
        return times.idlePollInterval().compareTo(times.pollInterval()) <= 0
                || rows.isStoreUsed(tx.store().value())
                || holds.isAnyAt(tx, agent.agentId());
    }

    /** Returns the command with a signed URL for its file. */
    private Command withSignedUrl(String base, Command command) {
        return switch (command.action()) {
            case Command.Print print ->
                new Command(
                        command.commandId(),
                        command.deviceId(),
                        command.expiresAt(),
                        print.withUrl(
                                urls.download(base, FileUri.parse(print.url()).orElseThrow(), FILE_LIFE)));
            case Command.Pause _, Command.Resume _, Command.Cancel _, Command.Send _ -> command;
        };
    }
}
