package farm.gantry.api.link;

import farm.gantry.api.camera.StillRows;
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
import farm.gantry.api.schedule.ThrottleHoldRows;
import farm.gantry.api.schedule.WithdrawnStarts;
import farm.gantry.file.FileUri;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkAnswer;
import farm.gantry.wire.LinkRequest;
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

/** Handles an exchange with an agent, over HTTPS or MQTT: applies its events and reports, returns its commands. */
@Singleton
final class LinkExchange {
    private static final Logger LOG = LoggerFactory.getLogger(LinkExchange.class);
    private static final Duration FILE_LIFE = Scheduler.START_LIFE;
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final AgentRows rows;
    private final Database database;
    private final RecordReader reader;
    private final AgentPrinters agentPrinters;
    private final ServedPrinterRows served;
    private final AgentInstances instances;
    private final LostJournal lostJournal;
    private final LinkMessageHandler handler;
    private final CommandRows commands;
    private final WithdrawnStarts starts;
    private final ThrottleHoldRows holds;
    private final Scheduler scheduler;
    private final AgentSignals signals;
    private final FileUrls urls;
    private final LinkSettings times;
    private final StillRows stills;
    private final LinkRateLimit rateLimit;

    LinkExchange(
            AgentRows rows,
            Database database,
            RecordReader reader,
            AgentPrinters agentPrinters,
            ServedPrinterRows served,
            AgentInstances instances,
            LostJournal lostJournal,
            LinkMessageHandler handler,
            CommandRows commands,
            WithdrawnStarts starts,
            ThrottleHoldRows holds,
            Scheduler scheduler,
            AgentSignals signals,
            FileUrls urls,
            LinkSettings times,
            StillRows stills,
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
        this.stills = stills;
        this.rateLimit = rateLimit;
    }

    /**
     * Applies the agent's message and returns its commands. {@code wait} is how many seconds an empty answer is held,
     * and {@code base} is the address under which the agent reaches this install.
     */
    LinkAnswer exchange(AgentTokens.Bearer agent, JsonNode body, int wait, String base) throws InterruptedException {
        rateLimit.check(agent.agentId());
        UnknownEvents unknown = UnknownEvents.in(StorableText.sanitize(body), agent.agentId());
        LinkRequest said = reader.read(LinkRequest.class, unknown.body());
        Signal signal = signals.of(agent.store());
        long seen = signal.version();
        long ackSequence = applyUnlessConflict(agent, said, unknown.lastSequence());
        long deadline = System.nanoTime()
                + Math.clamp(
                        Duration.ofSeconds(wait).toNanos(), 0, times.maxWait().toNanos());
        LinkAnswer answer = answer(base, agent, said, ackSequence);
        while (answer.commands().isEmpty()
                && answer.printers() == null
                && answer.stills() == null
                && !signals.isStopping()
                && System.nanoTime() < deadline) {
            signal.await(seen, Duration.ofNanos(deadline - System.nanoTime()));
            seen = signal.version();
            answer = answer(base, agent, said, ackSequence);
        }
        return answer;
    }

    /**
     * A printer that the message tells of was deleted meanwhile: the agent is to tell anew what it serves. A conflict would say
     * to an agent of before, which reads no code, that another process is served.
     */
    private long applyUnlessConflict(AgentTokens.Bearer agent, LinkRequest said, long lastUnknown) {
        try {
            return apply(agent, said, lastUnknown);
        } catch (ProblemException e) {
            throw e.problem() instanceof Problem.Conflict
                    ? new ProblemException(new Problem.Unavailable("a printer was changed meanwhile", RETRY_DELAY))
                    : e;
        }
    }

    /** Applies the message, or, if that fails, its events one by one first, so that one of them does not block the others. */
    private long apply(AgentTokens.Bearer agent, LinkRequest said, long lastUnknown) {
        try {
            return database.in(agent.store(), tx -> apply(tx, agent, said, lastUnknown));
        } catch (RuntimeException e) {
            if (said.events().isEmpty() || isToBeRepeated(e)) {
                throw e;
            }
            LOG.warn("agent {}: a message cannot be applied, its events are applied one by one", agent.agentId(), e);
        }
        database.in(agent.store(), tx -> {
            lockAckSequence(tx, agent);
            onAcks(tx, agent, said, true);
            return said;
        });
        said.events().forEach(event -> applyAlone(agent, event));
        return database.in(agent.store(), tx -> apply(tx, agent, said, lastUnknown));
    }

    /** Applies one event. One that cannot be applied is dropped, and a person must look at the printer's bed. */
    private void applyAlone(AgentTokens.Bearer agent, LinkRequest.Event event) {
        try {
            onServedPrinter(agent, event, (tx, printerId) -> handler.onEvent(tx, printerId, event));
        } catch (RuntimeException e) {
            if (isToBeRepeated(e)) {
                throw e;
            }
            LOG.error("agent {}: event {} cannot be applied and is dropped", agent.agentId(), event, e);
            onServedPrinter(agent, event, (tx, printerId) -> handler.onDroppedEvent(tx, printerId));
        }
    }

    /** Does the work with the event's printer, null if the agent does not serve it, and acknowledges the event. */
    private void onServedPrinter(
            AgentTokens.Bearer agent, LinkRequest.Event event, BiConsumer<Tx, @Nullable String> work) {
        database.in(agent.store(), tx -> {
            if (lockAckSequence(tx, agent) < event.sequence()) {
                work.accept(
                        tx,
                        served.ids(tx, agent.agentId(), Set.of(event.deviceId()))
                                .get(event.deviceId()));
                rows.acknowledge(tx.store().value(), agent.agentId(), event.sequence());
            }
            return event;
        });
    }

    /** Whether the same message may be applied later, or its agent is none any more. */
    private static boolean isToBeRepeated(RuntimeException fault) {
        return fault instanceof ProblemException refused
                ? refused.problem() instanceof Problem.Unauthorized
                        || refused.problem() instanceof Problem.AgentSuperseded
                        || refused.problem() instanceof Problem.Unavailable
                : Database.isOutage(fault) || Database.isTooLong(fault);
    }

    private long lockAckSequence(Tx tx, AgentTokens.Bearer agent) {
        return rows.lockAckSequence(tx.store().value(), agent.agentId())
                .orElseThrow(() -> new ProblemException(new Problem.Unauthorized(Problem.Scheme.AgentToken)));
    }

    private long apply(Tx tx, AgentTokens.Bearer agent, LinkRequest said, long lastUnknown) {
        long kept = lockAckSequence(tx, agent);
        boolean isJournalLost = instances.take(tx, agent.agentId(), said.instance()) && said.sequence() < kept;
        if (isJournalLost) {
            lostJournal.onLost(tx, agent.agentId());
        }
        boolean wasLost = rows.isLost(tx.store().value(), agent.agentId());
        Map<String, String> printers =
                wasLost ? served.ids(tx, agent.agentId()) : served.ids(tx, agent.agentId(), deviceIds(said));
        handler.lockJobs(tx, said.events());
        onAcks(tx, agent, said, true);
        for (LinkRequest.Event event : said.events()) {
            if (event.sequence() > kept) {
                kept = event.sequence();
                handler.onEvent(tx, printers.get(event.deviceId()), event);
            }
        }
        kept = Math.max(kept, lastUnknown);
        SortedMap<String, Map<String, Object>> reports = new TreeMap<>();
        for (LinkRequest.Report report : said.reports()) {
            String printerId = printers.get(report.deviceId());
            if (printerId != null) {
                reports.putIfAbsent(printerId, report.state());
            }
        }
        boolean news = onReports(tx, said, printers, reports)
                || wasLost
                || isJournalLost
                || !said.events().isEmpty()
                || !said.acks().isEmpty();
        if (wasLost) {
            handler.onReconnect(
                    tx,
                    printers.values().stream()
                            .filter(printerId -> !reports.containsKey(printerId))
                            .toList());
        }
        onAcks(tx, agent, said, false);
        rows.markSeen(tx.store().value(), agent.agentId(), kept);
        instances.end(tx, agent.agentId(), said.instance());
        if (news || (!said.reports().isEmpty() && holds.isAnyAt(tx, agent.agentId()))) {
            tx.afterCommit(() -> scheduler.trigger(agent.store()));
        }
        return kept;
    }

    /** Commands that were taken are ended before the message's events, which may say that the prints that they change are over. */
    private void onAcks(Tx tx, AgentTokens.Bearer agent, LinkRequest said, boolean areTaken) {
        said.acks().stream()
                .filter(ack -> (ack.outcome() == LinkRequest.Outcome.taken) == areTaken)
                .forEach(ack -> handler.onAck(tx, agent.agentId(), ack));
    }

    /** Names the report that makes no whole state; its agent is to begin a new session. */
    private boolean onReports(
            Tx tx, LinkRequest said, Map<String, String> printers, SortedMap<String, Map<String, Object>> reports) {
        try {
            return handler.onReports(tx, said.session(), reports);
        } catch (PrinterStateRows.IncompleteStateException e) {
            int index = IntStream.range(0, said.reports().size())
                    .filter(i -> e.printerId()
                            .equals(printers.get(said.reports().get(i).deviceId())))
                    .findFirst()
                    .orElseThrow();
            String path = "reports[" + index + "].state";
            throw e.member() == null
                    ? ProblemException.invalid(path, "invalid", path + " is no printer's state: begin a new session")
                    : ProblemException.invalid(
                            path + "." + e.member(),
                            "required",
                            path + "." + e.member() + " is required in the first report of a session");
        }
    }

    private static Set<String> deviceIds(LinkRequest said) {
        return Stream.concat(
                        said.events().stream().map(LinkRequest.Event::deviceId),
                        said.reports().stream().map(LinkRequest.Report::deviceId))
                .collect(Collectors.toSet());
    }

    private LinkAnswer answer(String base, AgentTokens.Bearer agent, LinkRequest said, long ackSequence) {
        return database.in(agent.store(), tx -> {
            boolean news = agentPrinters.isNews(tx, agent.agentId(), said.session());
            List<CommandRows.Kept> pending = commands.pending(tx, agent.agentId());
            List<Command> waiting = pending.isEmpty() || !instances.isServed(tx, agent.agentId(), said.instance())
                    ? List.of()
                    : starts.expired(tx, pending).stream()
                            .map(command -> signed(base, command))
                            .toList();
            List<LinkAnswer.WantedStill> wanted = stills.tell(tx, agent.agentId());
            boolean isFollowed = !wanted.isEmpty() || isFollowed(tx, agent);
            boolean isAwaited = isFollowed
                    || !said.events().isEmpty()
                    || !said.acks().isEmpty()
                    || !waiting.isEmpty()
                    || rows.isAnyPrinterActive(tx.store().value(), agent.agentId());
            return new LinkAnswer(
                    ackSequence,
                    news ? agentPrinters.configs(tx, agent.agentId()) : null,
                    waiting,
                    pause(isAwaited).toMillis(),
                    pause(isFollowed).toMillis(),
                    wanted.isEmpty() ? null : wanted);
        });
    }

    private Duration pause(boolean isShort) {
        return isShort ? times.pollInterval() : times.idlePollInterval();
    }

    /** Whether somebody looks at what the agent's printers do, or the scheduler at their temperatures. */
    private boolean isFollowed(Tx tx, AgentTokens.Bearer agent) {
        return times.idlePollInterval().compareTo(times.pollInterval()) <= 0
                || rows.isStoreUsed(tx.store().value())
                || holds.isAnyAt(tx, agent.agentId());
    }

    /** The command with a signed URL for its file. */
    private Command signed(String base, Command command) {
        return switch (command.action()) {
            case Command.Print print ->
                new Command(
                        command.commandId(),
                        command.deviceId(),
                        command.expiresAt(),
                        print.at(urls.download(base, FileUri.parse(print.url()).orElseThrow(), FILE_LIFE)));
            case Command.Pause _, Command.Resume _, Command.Cancel _, Command.Send _ -> command;
        };
    }
}
