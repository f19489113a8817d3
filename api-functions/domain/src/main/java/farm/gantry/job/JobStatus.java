package farm.gantry.job;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Arrays;
import java.util.Optional;

/** Where a job is on its way, and the one table of its moves. */
@Serdeable
public enum JobStatus {
    Pending,
    Assigned,
    Slicing,
    Sliced,
    Finalizing,
    @JsonProperty("Waiting-for-approval")
    WAITING_FOR_APPROVAL("Waiting-for-approval"),
    @JsonProperty("Ready-for-printer")
    READY_FOR_PRINTER("Ready-for-printer"),
    @JsonProperty("Sending-to-printer")
    SENDING_TO_PRINTER("Sending-to-printer"),
    Printing,
    Paused,
    Completed,
    Failed,
    Cancelled;

    private final String wireName;

    JobStatus() {
        this.wireName = name();
    }

    JobStatus(String wire) {
        this.wireName = wire;
    }

    public String wireName() {
        return wireName;
    }

    /** The status that is spelled so. */
    public static Optional<JobStatus> parse(String wire) {
        return Arrays.stream(values())
                .filter(status -> status.wireName.equals(wire))
                .findFirst();
    }

    /** The transitions of a job. */
    public enum Transition {
        ASSIGN,
        UNASSIGN,
        SLICE,
        SLICED,
        FINALIZE,
        AWAIT_APPROVAL,
        MAKE_READY,
        SEND,
        RETURN,
        START,
        PAUSE,
        RESUME,
        COMPLETE,
        FAIL,
        CANCEL,
        RETRY
    }

    /** Returns whether a printer is held for the job. */
    public boolean isActive() {
        return switch (this) {
            case Assigned,
                    Slicing,
                    Sliced,
                    Finalizing,
                    WAITING_FOR_APPROVAL,
                    READY_FOR_PRINTER,
                    SENDING_TO_PRINTER,
                    Printing,
                    Paused -> true;
            case Pending, Completed, Failed, Cancelled -> false;
        };
    }

    public boolean isFinished() {
        return switch (this) {
            case Completed, Failed, Cancelled -> true;
            case Pending,
                    Assigned,
                    Slicing,
                    Sliced,
                    Finalizing,
                    WAITING_FOR_APPROVAL,
                    READY_FOR_PRINTER,
                    SENDING_TO_PRINTER,
                    Printing,
                    Paused -> false;
        };
    }

    /** Returns whether the printer may already hold the job's file, so that stopping it takes a command to the printer. */
    public boolean isAtPrinter() {
        return switch (this) {
            case SENDING_TO_PRINTER, Printing, Paused -> true;
            case Pending,
                    Assigned,
                    Slicing,
                    Sliced,
                    Finalizing,
                    WAITING_FOR_APPROVAL,
                    READY_FOR_PRINTER,
                    Completed,
                    Failed,
                    Cancelled -> false;
        };
    }

    /**
     * The status a move leads to; empty where the move is not allowed. A file that is ready to print goes from
     * {@code Assigned} to {@code Ready-for-printer} at once. An agent that was out of reach may report the end of a
     * print whose start was never heard of; a print that was not begun returns to the queue.
     */
    public Optional<JobStatus> after(Transition move) {
        return Optional.ofNullable(
                switch (move) {
                    case ASSIGN -> this == Pending ? Assigned : null;
                    case UNASSIGN -> isActive() && !isAtPrinter() ? Pending : null;
                    case SLICE -> this == Assigned ? Slicing : null;
                    case SLICED -> this == Slicing ? Sliced : null;
                    case FINALIZE -> this == Sliced ? Finalizing : null;
                    case AWAIT_APPROVAL -> this == Assigned || this == Finalizing ? WAITING_FOR_APPROVAL : null;
                    case MAKE_READY ->
                        this == Assigned || this == Finalizing || this == WAITING_FOR_APPROVAL
                                ? READY_FOR_PRINTER
                                : null;
                    case SEND -> this == READY_FOR_PRINTER ? SENDING_TO_PRINTER : null;
                    case RETURN -> this == SENDING_TO_PRINTER ? Pending : null;
                    case START -> this == SENDING_TO_PRINTER ? Printing : null;
                    case PAUSE -> this == Printing ? Paused : null;
                    case RESUME -> this == Paused ? Printing : null;
                    case COMPLETE -> isAtPrinter() ? Completed : null;
                    case FAIL -> isActive() || this == Pending ? Failed : null;
                    case CANCEL -> isActive() || this == Pending ? Cancelled : null;
                    case RETRY -> this == Failed || this == Cancelled ? Pending : null;
                });
    }
}
