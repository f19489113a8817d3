package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.annotation.Default;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Agent → API: one exchange of the link. A {@code session} starts whenever the agent cannot know what the API has
 * received (at its start, or after an exchange without a response): the first report of each printer in a session is
 * complete, later ones are JSON merge patches on it. {@code sequence} is the highest event number used; a process that
 * starts with a lower one than was acknowledged has lost its data.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LinkRequest(
        String session,
        long sequence,
        @Default("[]") @Size(max = MAX_REPORTS) List<Report> reports,
        @Default("[]") @Size(max = MAX_EVENTS) List<Event> events,
        @Default("[]") @Size(max = MAX_ACKS) List<Ack> acks,
        @Nullable List<Discovered> discovered,
        @Nullable Instance instance) {

    public static final int MAX_EVENTS = 1000;
    /** One report per printer; an agent serves far fewer printers. */
    public static final int MAX_REPORTS = 5000;

    public static final int MAX_ACKS = 10_000;

    /** Error code for an agent whose store is at another installation now; the body names its {@code address}. */
    public static final String STORE_MOVED = "store_moved";

    /**
     * A process of the agent, with a random id; of several processes with one token, one is served. {@code former} are
     * ids of earlier processes on the same data that have certainly ended; {@code ended} marks the last exchange. {@code
     * version} is the agent's version; older agents do not send it.
     */
    @Serdeable
    public record Instance(
            String id,
            @Default("[]") List<String> former,
            @Default("false") boolean ended,
            @Nullable @Size(max = 100) String version) {
        /** Error code for a process that is rejected while another is served. */
        public static final String SUPERSEDED = "agent_superseded";
    }

    /** A printer's {@link farm.gantry.printer.PrinterState}, complete or as a merge patch; the latest wins. */
    @Serdeable
    public record Report(String deviceId, Instant at, Map<String, Object> state) {}

    /**
     * An event that must not be lost: stored on disk until acknowledged, sent in order, at least once, with increasing
     * numbers over the life of an agent. {@code elapsedSeconds} is the job's print time as its printer counts it, {@code
     * heatingSeconds} the time from its start command until it printed, null where the agent did not see both; {@code commandId} is the
     * command that ended; {@code preparation} belongs to {@code jobStarted}.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Event(
            long sequence,
            Instant at,
            String deviceId,
            Kind kind,
            @Nullable String jobId,
            @Nullable Integer attempt,
            @Nullable String message,
            @Nullable Long elapsedSeconds,
            @Nullable Double usedGrams,
            @Nullable String commandId,
            @Nullable Long heatingSeconds,
            @Nullable Preparation preparation) {}

    /**
     * The times at which the agent accepted a started print, had downloaded its file, and had uploaded it to the printer;
     * null where the agent was restarted meanwhile. Older agents do not send them.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Preparation(
            @Nullable Instant acceptedAt,
            @Nullable Instant downloadedAt,
            @Nullable Instant uploadedAt) {}

    /**
     * {@code jobRefused}: nothing of the print was sent, because of the printer's state or connection; the job may go
     * to another printer. {@code jobNotBegun}: the start was sent but the print certainly never began. {@code
     * jobFailed}: the failure lies in the job, for example a broken file. {@code printerChanged}: the printer was used
     * by hand or lost power while unobserved, so its bed must be checked; sent at the start and the end of such a
     * print. {@code printerWarning}: a problem that stops no print. {@code commandDone} and {@code commandFailed}: a
     * manual or macro command ended.
     */
    @Serdeable
    public enum Kind {
        jobStarted,
        jobPaused,
        jobResumed,
        jobCompleted,
        jobFailed,
        jobCancelled,
        jobRefused,
        jobNotBegun,
        printerOnline,
        printerOffline,
        printerError,
        printerWarning,
        printerChanged,
        commandDone,
        commandFailed
    }

    /** The agent has stored the command in its journal ({@code taken}), or will not execute it. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Ack(
            String commandId, Outcome outcome, @Nullable String message) {}

    @Serdeable
    public enum Outcome {
        taken,
        refused,
        expired
    }

    /** A printer discovered on the local network. */
    @Serdeable
    public record Discovered(
            String deviceId,
            String provider,
            String host,
            int port,
            @Nullable String name) {}
}
