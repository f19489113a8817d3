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
import java.util.List;
import java.util.Map;

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
            WorkLease lease) {
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

    /** Compares with the clock of the database, which recorded when agents were last seen. */
    private List<String> findTimedOut(Tx tx) {
        return rows.silentFor(tx.store().value(), times.offlineTimeout().toSeconds());
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
