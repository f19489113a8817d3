package farm.gantry.api.link;

import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.printer.command.CommandRows;
import farm.gantry.api.printer.readiness.PrinterReadiness;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which of several processes with one token is served, for each would begin the starts of the agent: the one that was, until it
 * has ended or timed out. Older agents tell no process, and are served as they come.
 */
@Singleton
final class AgentInstances {
    private static final Logger LOG = LoggerFactory.getLogger(AgentInstances.class);

    private final AgentRows rows;
    private final CommandRows commands;
    private final PrinterReadiness readiness;
    private final LinkSettings times;

    AgentInstances(AgentRows rows, CommandRows commands, PrinterReadiness readiness, LinkSettings times) {
        this.rows = rows;
        this.commands = commands;
        this.readiness = readiness;
        this.times = times;
    }

    /**
     * Serves this process from now on, or refuses it. The agent's row is locked. One that has timed out may have begun the starts
     * that it did not acknowledge, of which the next one on other data knows nothing.
     *
     * @return whether it was not served before
     */
    boolean take(Tx tx, String agentId, LinkRequest.@Nullable Instance instance) {
        String store = tx.store().value();
        String served = rows.instance(store, agentId).orElse(null);
        if (instance == null || instance.id().equals(served)) {
            return false;
        }
        if (served != null && !instance.former().contains(served)) {
            if (rows.isSeenWithin(store, agentId, times.offlineTimeout().toSeconds())) {
                throw new ProblemException(new Problem.AgentSuperseded());
            }
            LOG.warn("agent {}: another process with its token takes the place of one that has timed out", agentId);
            doubtUnacknowledgedStarts(tx, agentId);
        }
        rows.setInstance(store, agentId, instance.id());
        return true;
    }

    private void doubtUnacknowledgedStarts(Tx tx, String agentId) {
        commands.pending(tx, agentId).stream()
                .filter(kept -> kept.command().action() instanceof Command.Print)
                .map(CommandRows.Kept::printerId)
                .distinct()
                .sorted()
                .forEach(printerId -> readiness.onUnexpectedUse(
                        tx, printerId, "its agent was replaced while a start was on its way"));
    }

    /** Whether the process, which was taken, is served still. */
    boolean isServed(Tx tx, String agentId, LinkRequest.@Nullable Instance instance) {
        return instance == null
                || rows.instance(tx.store().value(), agentId)
                        .filter(instance.id()::equals)
                        .isPresent();
    }

    /** Any other may be served at once after the last exchange of this one. */
    void end(Tx tx, String agentId, LinkRequest.@Nullable Instance instance) {
        if (instance != null && instance.ended()) {
            rows.endInstance(tx.store().value(), agentId, instance.id());
        }
    }
}
