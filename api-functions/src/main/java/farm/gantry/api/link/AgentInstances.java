package farm.gantry.api.link;

import farm.gantry.StoreId;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.printer.command.CommandRows;
import farm.gantry.api.printer.readiness.PrinterReadiness;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ensures that one process per agent token is served, because each process would execute the agent's starts: the
 * current one, until it ends or times out. Older agents send no process id and are always served.
 */
@Singleton
final class AgentInstances {
    private static final Logger LOG = LoggerFactory.getLogger(AgentInstances.class);

    private final AgentRows rows;
    private final CommandRows commands;
    private final PrinterReadiness readiness;
    private final LinkSettings times;
    private final Optional<AgentMarks> marks;
    private final InstantSource clock;

    AgentInstances(
            AgentRows rows,
            CommandRows commands,
            PrinterReadiness readiness,
            LinkSettings times,
            Optional<AgentMarks> marks,
            InstantSource clock) {
        this.rows = rows;
        this.commands = commands;
        this.readiness = readiness;
        this.times = times;
        this.marks = marks;
        this.clock = clock;
    }

    /**
     * Makes this the process that is served, or throws; the agent's row must be locked. A process that timed out may have executed
     * unacknowledged starts that its successor, with other data, does not know of.
     *
     * @return whether the served process changed
     */
    boolean serve(Tx tx, String agentId, LinkRequest.@Nullable Instance instance) {
        String store = tx.store().value();
        String served = rows.instance(store, agentId).orElse(null);
        if (instance == null || instance.id().equals(served)) {
            return false;
        }
        if (served != null && !instance.former().contains(served)) {
            if (rows.isSeenWithin(store, agentId, times.offlineTimeout().toSeconds())
                    || isIdlePollWithinTimeout(tx.store(), agentId)) {
                throw new ProblemException(new Problem.AgentSuperseded());
            }
            LOG.warn(
                    "agent {}: another process with the same token replaces one that timed out; unacknowledged starts must be checked at the printers",
                    agentId);
            doubtUnacknowledgedStarts(tx, agentId);
        }
        rows.setInstance(store, agentId, instance.id(), instance.version());
        return true;
    }

    /** Returns whether the served process is idle and polled within the timeout, of which the database has no record. */
    private boolean isIdlePollWithinTimeout(StoreId store, String agentId) {
        return marks.flatMap(found -> found.findSeen(store))
                .map(seen -> seen.get(agentId))
                .filter(at -> at.plus(times.offlineTimeout()).isAfter(clock.instant()))
                .isPresent();
    }

    private void doubtUnacknowledgedStarts(Tx tx, String agentId) {
        commands.findPending(tx, agentId).stream()
                .filter(kept -> kept.command().action() instanceof Command.Print)
                .map(CommandRows.PendingCommand::printerId)
                .distinct()
                .sorted()
                .forEach(printerId ->
                        readiness.onUnexpectedUse(tx, printerId, "its agent was replaced while a start was pending"));
    }

    /** Returns whether this process, which was accepted before, is still the one that is served. */
    boolean isServed(Tx tx, String agentId, LinkRequest.@Nullable Instance instance) {
        return instance == null
                || rows.instance(tx.store().value(), agentId)
                        .filter(instance.id()::equals)
                        .isPresent();
    }

    /** Allows another process to be served at once, if this was the process's last exchange. */
    void end(Tx tx, String agentId, LinkRequest.@Nullable Instance instance) {
        if (instance != null && instance.ended()) {
            rows.endInstance(tx.store().value(), agentId, instance.id());
        }
    }
}
