package farm.gantry.edge.command;

import farm.gantry.edge.log.LoggedWarning;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.provider.Providers;
import farm.gantry.json.Tree;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The running agent's report about itself on its status page. {@code versionMismatch} says what to upgrade, if the server's
 * version is too far from the agent's. {@code heapPercent} is how full the heap was after its last collection.
 */
@Serdeable
record StatusReport(
        String agentId,
        String version,
        @Nullable String versionMismatch,
        String api,
        boolean connected,
        String reason,
        Instant since,
        AgentTotals counts,
        int heapPercent,
        List<ServedPrinter> printers,
        List<LoggedWarning> warnings) {

    /**
     * Totals since the agent started. {@code messagesHeard} is the number of statuses received from printers, {@code
     * bytesSent} the number of bytes sent to the API, and {@code eventsWaiting} the number of events that the API does
     * not have yet.
     */
    @Serdeable
    record AgentTotals(long messagesHeard, long bytesSent, int eventsWaiting, PrintCounts prints) {}

    @Serdeable
    record PrintCounts(long completed, long failed, long cancelled, long refused) {}

    /** A printer of this agent; the state is null if no agent is running. */
    @Serdeable
    record ServedPrinter(
            String name,
            String deviceId,
            Printer.Provider provider,
            boolean hasCamera,
            @Nullable PrinterState state) {

        static ServedPrinter of(PrinterConfig config, @Nullable PrinterState state) {
            return new ServedPrinter(config.name(), config.deviceId(), config.provider(), hasCamera(config), state);
        }

        /** Returns whether the printer has a camera according to its capabilities, or else to those of its provider. */
        private static boolean hasCamera(PrinterConfig config) {
            Map<String, Object> capability = config.capability();
            return capability == null
                    ? Providers.of(config).abilities().contains(Provider.Ability.CAMERA)
                    : !Tree.list(capability, "cameras").isEmpty();
        }

        boolean isOnline() {
            return state != null && state.connection() == PrinterState.Connection.online;
        }

        /** Returns the reason why the printer is offline. */
        String reason() {
            return state == null ? "not known" : String.valueOf(state.connectionReason());
        }

        String line() {
            String does = state == null ? "not known" : state.status() + stateReason(state);
            return "%-24s %-20s %-12s %s".formatted(name, deviceId, provider.wireName(), does);
        }

        private static String stateReason(PrinterState state) {
            PrinterState.Progress job = state.job();
            if (state.connectionReason() != null) {
                return " (" + state.connectionReason() + ")";
            }
            return job == null ? "" : " " + job.fileName() + " " + job.percent() + " %";
        }
    }
}
