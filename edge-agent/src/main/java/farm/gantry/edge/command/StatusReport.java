package farm.gantry.edge.command;

import farm.gantry.edge.log.LoggedWarning;
import farm.gantry.edge.printer.Provider;
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
 * version is too far from the agent's.
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
        Counts counts,
        List<Served> printers,
        List<LoggedWarning> warnings) {

    /** Totals since the agent started, except {@code eventsWaiting}, which is the present number. */
    @Serdeable
    record Counts(long messagesHeard, long bytesSent, int eventsWaiting, Prints prints) {}

    @Serdeable
    record Prints(long completed, long failed, long cancelled, long refused) {}

    /** A printer of this agent; the state is null if no agent is running. */
    @Serdeable
    record Served(
            String name,
            String deviceId,
            Printer.Provider provider,
            boolean hasCamera,
            @Nullable PrinterState state) {

        static Served of(PrinterConfig config, @Nullable PrinterState state) {
            return new Served(config.name(), config.deviceId(), config.provider(), hasCamera(config), state);
        }

        /** Returns whether the printer has a camera, by its own capabilities or else by its provider's. */
        private static boolean hasCamera(PrinterConfig config) {
            Map<String, Object> capability = config.capability();
            return capability == null
                    ? Providers.of(config).abilities().contains(Provider.Ability.CAMERA)
                    : !Tree.list(capability, "cameras").isEmpty();
        }

        boolean isOnline() {
            return state != null && state.connection() == PrinterState.Connection.online;
        }

        /** Returns why it is offline. */
        String reason() {
            return state == null ? "not known" : String.valueOf(state.connectionReason());
        }

        String line() {
            String does = state == null ? "not known" : state.status() + why(state);
            return "%-24s %-20s %-12s %s".formatted(name, deviceId, provider.wireName(), does);
        }

        private static String why(PrinterState state) {
            PrinterState.Progress job = state.job();
            if (state.connectionReason() != null) {
                return " (" + state.connectionReason() + ")";
            }
            return job == null ? "" : " " + job.fileName() + " " + job.percent() + " %";
        }
    }
}
