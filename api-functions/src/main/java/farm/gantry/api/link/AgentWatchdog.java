package farm.gantry.api.link;

import farm.gantry.StoreId;
import farm.gantry.agent.Agent;
import farm.gantry.api.camera.SnapshotRows;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.printer.readiness.PrinterReadiness;
import farm.gantry.api.printer.readiness.PrinterStateRows;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.queue.WorkLease;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.notification.EventName;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Marks agents and their printers offline when they disconnect or time out. */
@Singleton
public final class AgentWatchdog {
    private final Table<Agent> agents;
    private final AgentRows rows;
    private final Database database;
    private final ServedPrinterRows served;
    private final PrinterReadiness readiness;
    private final LinkSettings times;
    private final PrinterStateRows states;
    private final SnapshotRows snapshots;
    private final Webhooks webhooks;
    private final WorkLease lease;
    private final Optional<AgentMarks> marks;
    private final InstantSource clock;
    /** When the marks of agents could not be read first; null while they can. */
    private final AtomicReference<@Nullable Instant> unknownSince = new AtomicReference<>();

    AgentWatchdog(
            Tables tables,
            AgentRows rows,
            Database database,
            ServedPrinterRows served,
            PrinterReadiness readiness,
            LinkSettings times,
            PrinterStateRows states,
            SnapshotRows snapshots,
            Webhooks webhooks,
            WorkLease lease,
            Optional<AgentMarks> marks,
            InstantSource clock) {
        this.agents = tables.of(Agent.class);
        this.rows = rows;
        this.database = database;
        this.served = served;
        this.readiness = readiness;
        this.times = times;
        this.states = states;
        this.snapshots = snapshots;
        this.webhooks = webhooks;
        this.lease = lease;
        this.marks = marks;
        this.clock = clock;
    }

    /** Marks the agent offline, unless it has started another session since. */
    void onDisconnect(AgentTokens.Bearer agent, String session) {
        database.in(agent.store(), tx -> {
            boolean isLast = served.printerIdsByDevice(tx, agent.agentId()).values().stream()
                    .anyMatch(printerId -> states.belongsToSession(tx, printerId, session));
            return isLast && markOffline(tx, agent.agentId());
        });
    }

    /** Starts marking timed-out agents offline. Downtime of this process does not count towards the timeout. */
    public WorkLoop start() {
        Instant begun = Instant.now();
        return WorkLoop.start("agent-watch", new Signal(), times.offlineCheckInterval(), lease, () -> {
            if (!begun.isAfter(Instant.now().minus(times.offlineTimeout()))) {
                checkTimeouts();
            }
        });
    }

    /** Marks timed-out agents offline, and deletes snapshots that nobody views. */
    public void checkTimeouts() {
        snapshots.deleteUnrequested();
        for (StoreId store : database.findStores("stores_with_online_agents")) {
            database.in(
                    store,
                    tx -> findTimedOut(tx).stream()
                            .filter(agentId -> markOffline(tx, agentId))
                            .toList());
        }
    }

    /**
     * Compares with the clock of the database, which recorded when agents were last seen, except for idle agents, of
     * which that is recorded in their marks. An agent whose mark cannot be read has polled the database within the
     * timeout, unless it is silent.
     */
    private List<String> findTimedOut(Tx tx) {
        List<String> silent =
                rows.silentFor(tx.store().value(), times.offlineTimeout().toSeconds());
        if (marks.isEmpty() || silent.isEmpty()) {
            return silent;
        }
        Instant now = clock.instant();
        Map<String, Instant> seen = marks.get().findSeen(tx.store()).orElse(null);
        if (seen == null) {
            unknownSince.compareAndSet(null, now);
            return isTimedOut(Objects.requireNonNullElse(unknownSince.get(), now), now) ? silent : List.of();
        }
        unknownSince.set(null);
        return silent.stream()
                .filter(agentId -> isTimedOut(seen.getOrDefault(agentId, Instant.EPOCH), now))
                .toList();
    }

    private boolean isTimedOut(Instant seenAt, Instant now) {
        return seenAt.plus(times.offlineTimeout()).isBefore(now);
    }

    /** Marks the agent and its printers offline; returns whether it was online. */
    private boolean markOffline(Tx tx, String agentId) {
        boolean lost = agents.change(
                tx, agentId, new Change<Agent>().when(Agent::isOnline, true).set(Agent::isOnline, false));
        if (lost) {
            agents.find(tx, agentId)
                    .ifPresent(agent -> webhooks.emit(
                            tx,
                            EventName.onAgentOffline,
                            null,
                            null,
                            Map.of("agent", Map.of("id", agentId, "name", agent.name()))));
            served.printerIdsByDevice(tx, agentId)
                    .values()
                    .forEach(printerId -> readiness.setOnline(tx, printerId, false));
        }
        return lost;
    }
}
