package farm.gantry.api.homeassistant;

import farm.gantry.Sha256;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A printer as Home Assistant shows it.
 *
 * @param job the job that the printer has, if the farm gave it one
 */
record PrinterDevice(
        Printer printer, PrinterState state, @Nullable PrintJob job) {
    static final String ON = "ON";
    static final String OFF = "OFF";
    private static final long SECONDS_PER_MINUTE = 60;
    private static final int TOKEN_LENGTH = 16;

    /** The state message. Home Assistant shows a null as unknown. */
    @Serdeable
    record Message(
            PrinterState.@Nullable Status status,
            @Nullable Long progress,
            @Nullable Long nozzle,
            @Nullable Long bed,
            @Nullable Long remaining,
            @Nullable String part,
            String problem,
            List<String> messages,
            String bedClear,
            @Nullable String print,
            String bedToken) {}

    /** Returns the state message. Values are rounded, so that it changes seldom. */
    Message message() {
        PrinterState.Progress progress = state.isPrinting() ? state.job() : null;
        return new Message(
                state.status() == PrinterState.Status.unknown ? null : state.status(),
                progress == null ? null : (Long) Math.round(progress.percent()),
                temperature("nozzle"),
                temperature("bed"),
                remainingMinutes(),
                progress == null ? null : part(progress),
                hasProblem() ? ON : OFF,
                state.errors().stream().map(PrinterState.Fault::message).toList(),
                printer.confirmedReady() ? ON : OFF,
                printToken(job),
                bedToken());
    }

    private @Nullable Long temperature(String heater) {
        PrinterState.Temperature temperature = state.temperatures().get(heater);
        return temperature == null ? null : (Long) Math.round(temperature.actual());
    }

    /** Returns the remaining minutes of the print in progress. */
    @Nullable
    Long remainingMinutes() {
        PrinterState.Progress progress = state.job();
        Long seconds = progress == null || !state.isPrinting() ? null : progress.remainingSeconds();
        return seconds == null ? null : (Long) Math.ceilDiv(seconds, SECONDS_PER_MINUTE);
    }

    private @Nullable String part(PrinterState.Progress progress) {
        return job == null ? progress.fileName() : job.partName();
    }

    private boolean hasProblem() {
        return !state.errors().isEmpty()
                || state.status() == PrinterState.Status.error
                || printer.quarantinedAt() != null;
    }

    /** Identifies the attempt of a job that a printer has; null if none has it. */
    static @Nullable String printToken(@Nullable PrintJob job) {
        return job != null && job.status().isAtPrinter() ? job.id() + "/" + job.attempt() : null;
    }

    /** Identifies what may be on the bed: it changes with each print that the farm or the printer knows of. */
    String bedToken() {
        PrinterState.Progress last = state.job();
        return Sha256.of(String.valueOf(List.of(
                        printer.id(),
                        String.valueOf(printer.printingJobId()),
                        printer.lifetimeJobCount(),
                        String.valueOf(printer.lastPrintedAt()),
                        String.valueOf(state.printCounter()),
                        last == null ? "" : last.jobId() + "/" + last.attempt() + "/" + last.fileName())))
                .substring(0, TOKEN_LENGTH);
    }

    String availability() {
        return printer.isOnline() ? "online" : "offline";
    }
}
