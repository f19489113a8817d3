package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.Default;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Agent → API, one exchange of the link. A {@code session} begins whenever the agent cannot know what the API holds
 * (start, or an exchange without answer): the first report of each printer in a session is its whole state, the later
 * ones are JSON merge patches on it. {@code sequence} is the highest event number the agent has given out; a process that
 * begins with a lower one than was acknowledged has lost its data.
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
    /** A report is of a printer; an agent serves far fewer. */
    public static final int MAX_REPORTS = 5000;

    public static final int MAX_ACKS = 10_000;

    /**
     * The process of the agent that speaks, by a random id: of two with one token, one is served. {@code former} are the ids of
     * processes before it on the same data that have certainly ended; {@code ended} marks its last exchange.
     */
    @Serdeable
    public record Instance(
            String id,
            @Default("[]") List<String> former,
            @Default("false") boolean ended) {
        /** The code of the error with which one is refused while another is served. */
        public static final String SUPERSEDED = "agent_superseded";
    }

    /** A printer's {@link farm.gantry.printer.PrinterState}, whole or as a merge patch; the latest wins. */
    @Serdeable
    public record Report(String deviceId, Instant at, Map<String, Object> state) {}

    /**
     * Something that happened and must not be lost: kept on disk until acknowledged, sent in order, at least once.
     * Numbers only grow over the life of an agent. {@code elapsedSeconds} is the time the job printed; {@code commandId}
     * is the command that is told of.
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
            @Nullable String commandId) {}

    /**
     * {@code jobRefused} is a print of which nothing was sent to the printer, because of the printer's state or the way to
     * it: the job may go elsewhere. {@code jobNotBegun} is one whose start was sent, and that certainly never began. What
     * lies in the job itself, such as a broken file, is {@code jobFailed}. {@code printerChanged} is a printer that was used
     * by hand or lost power while unseen, so that its bed cannot be trusted; told when such a print begins and when it ends.
     * {@code printerWarning} is a trouble that no print waits for.
     * {@code commandDone} and {@code commandFailed} are the end of a person's or a macro's command.
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

    /** The agent has the command in its journal ({@code taken}), or will not do it. */
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

    /** A printer heard of on the local network. */
    @Serdeable
    public record Discovered(
            String deviceId,
            String provider,
            String host,
            int port,
            @Nullable String name) {}
}
