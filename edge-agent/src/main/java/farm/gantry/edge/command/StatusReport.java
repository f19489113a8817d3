package farm.gantry.edge.command;

import farm.gantry.edge.log.Warning;
import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.provider.Providers;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the running agent says of itself on its status page. */
@Serdeable
record StatusReport(
        String agentId,
        String version,
        String api,
        boolean connected,
        String reason,
        Instant since,
        Counts counts,
        List<Served> printers,
        List<Warning> warnings) {

    /** Since the agent began, but for the events, which wait now. */
    @Serdeable
    record Counts(long messagesHeard, long bytesSent, int eventsWaiting, Prints prints) {}

    @Serdeable
    record Prints(long completed, long failed, long cancelled, long refused) {}

    /** A printer of this agent; the state is null when no agent is running that could know it. */
    @Serdeable
    record Served(
            String name,
            String deviceId,
            Printer.Provider provider,
            boolean hasCamera,
            @Nullable PrinterState state) {

        static Served of(PrinterConfig config, @Nullable PrinterState state) {
            boolean hasCamera = Providers.of(config).abilities().contains(Provider.Ability.camera);
            return new Served(config.name(), config.deviceId(), config.provider(), hasCamera, state);
        }

        boolean isOnline() {
            return state != null && state.connection() == PrinterState.Connection.online;
        }

        /** Why it is offline. */
        String reason() {
            return state == null ? "not known" : String.valueOf(state.connectionReason());
        }

        String line() {
            String does = state == null ? "not known" : state.status() + why(state);
            return "%-24s %-20s %-12s %s".formatted(name, deviceId, provider.wire(), does);
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
