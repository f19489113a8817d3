package farm.gantry.api.link;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.FileUrls;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.json.StorableText;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.schedule.AgentSignals;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.store.AgentRows;
import farm.gantry.api.store.CommandRows;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.StillRows;
import farm.gantry.api.store.ThrottleHolds;
import farm.gantry.api.store.Tx;
import farm.gantry.file.FileUri;
import farm.gantry.printer.Printer;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkAnswer;
import farm.gantry.wire.LinkRequest;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Handles an exchange with an agent, over HTTPS or MQTT: applies its events and reports, returns its commands. */
@Singleton
final class LinkExchange {
    private static final Duration FILE_LIFE = Scheduler.START_LIFE;

    private final AgentRows rows;
    private final Database database;
    private final RecordReader reader;
    private final AgentPrinters agentPrinters;
    private final LinkMessageHandler handler;
    private final CommandRows commands;
    private final ThrottleHolds holds;
    private final Scheduler scheduler;
    private final AgentSignals signals;
    private final FileUrls urls;
    private final LinkTimeouts times;
    private final StillRows stills;

    LinkExchange(
            AgentRows rows,
            Database database,
            RecordReader reader,
            AgentPrinters agentPrinters,
            LinkMessageHandler handler,
            CommandRows commands,
            ThrottleHolds holds,
            Scheduler scheduler,
            AgentSignals signals,
            FileUrls urls,
            LinkTimeouts times,
            StillRows stills) {
        this.rows = rows;
        this.database = database;
        this.reader = reader;
        this.agentPrinters = agentPrinters;
        this.handler = handler;
        this.commands = commands;
        this.holds = holds;
        this.scheduler = scheduler;
        this.signals = signals;
        this.urls = urls;
        this.times = times;
        this.stills = stills;
    }

    /**
     * Applies the agent's message and returns its commands. {@code wait} is how many seconds an empty answer is held,
     * and {@code base} is the address under which the agent reaches this install.
     */
    LinkAnswer exchange(AgentTokens.Bearer agent, JsonNode body, int wait, String base) throws InterruptedException {
        LinkRequest said = reader.read(LinkRequest.class, StorableText.sanitize(body));
        Signal signal = signals.of(agent.store());
        long seen = signal.version();
        long ackSequence = database.in(agent.store(), tx -> apply(tx, agent, said));
        long deadline = System.nanoTime()
                + Math.clamp(
                        Duration.ofSeconds(wait).toNanos(),
                        0,
                        times.longestWait().toNanos());
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

    private long apply(Tx tx, AgentTokens.Bearer agent, LinkRequest said) {
        long kept = rows.lockAckSequence(tx.store().value(), agent.agentId())
                .orElseThrow(() -> new ProblemException(new Problem.Unauthorized()));
        Map<String, Printer> printers = agentPrinters.of(tx, agent.agentId()).stream()
                .collect(Collectors.toMap(printer -> Objects.requireNonNull(printer.deviceId()), Function.identity()));
        for (LinkRequest.Event event : said.events()) {
            if (event.sequence() > kept) {
                kept = event.sequence();
                Printer printer = printers.get(event.deviceId());
                if (printer != null) {
                    handler.onEvent(tx, printer, event);
                }
            }
        }
        boolean wasLost = rows.isLost(tx.store().value(), agent.agentId());
        boolean news = wasLost || !said.events().isEmpty() || !said.acks().isEmpty();
        for (LinkRequest.Report report : said.reports()) {
            Printer printer = printers.remove(report.deviceId());
            if (printer != null) {
                news |= handler.onReport(tx, printer, said.session(), report);
            }
        }
        if (wasLost) {
            printers.values().forEach(printer -> handler.onReconnect(tx, printer));
        }
        said.acks().forEach(ack -> handler.onAck(tx, agent.agentId(), ack));
        rows.markSeen(tx.store().value(), agent.agentId(), kept);
        if (news || (!said.reports().isEmpty() && holds.isAnyAt(tx, agent.agentId()))) {
            tx.afterCommit(() -> scheduler.trigger(agent.store()));
        }
        return kept;
    }

    private LinkAnswer answer(String base, AgentTokens.Bearer agent, LinkRequest said, long ackSequence) {
        return database.in(agent.store(), tx -> {
            List<LinkAnswer.PrinterConfig> configs = agentPrinters.configs(agentPrinters.of(tx, agent.agentId()));
            boolean news = agentPrinters.isNews(tx, agent.agentId(), said.session(), configs);
            List<Command> waiting = commands.pending(tx, agent.agentId()).stream()
                    .map(kept -> signed(base, kept.command()))
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
                    news ? configs : null,
                    waiting,
                    pause(isAwaited).toMillis(),
                    pause(isFollowed).toMillis(),
                    wanted.isEmpty() ? null : wanted);
        });
    }

    private Duration pause(boolean isShort) {
        return isShort ? times.pollAfter() : times.quietPollAfter();
    }

    /** Whether somebody looks at what the agent's printers do, or the scheduler at their temperatures. */
    private boolean isFollowed(Tx tx, AgentTokens.Bearer agent) {
        return times.quietPollAfter().compareTo(times.pollAfter()) <= 0
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
