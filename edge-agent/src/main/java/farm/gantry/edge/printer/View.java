package farm.gantry.edge.printer;

import farm.gantry.edge.journal.JobFile;
import farm.gantry.printer.PrinterState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A printer as it was last seen; without a reading it is out of sight, for the {@code reason}. */
record View(@Nullable Reading reading, String reason, Situation situation) {

    private static final String UNREACHED = "not reached yet";

    static View unreached(Situation situation) {
        return new View(null, UNREACHED, situation);
    }

    /** Whether being offline now is news. */
    boolean isNewsWhenLost() {
        return reading != null || isUnreached();
    }

    private boolean isUnreached() {
        return reason.equals(UNREACHED);
    }

    View with(Reading seen) {
        return new View(seen, "", situation);
    }

    View lost(String why) {
        return new View(null, why, situation);
    }

    View in(Situation next) {
        return new View(reading, reason, next);
    }

    /** Why no print can be taken now, or null when it can: a printer not looked at yet says so before the start. */
    @Nullable
    String objection() {
        if (isUnreached()) {
            return null;
        }
        return reading == null ? "the printer is offline: " + reason : reading.objection();
    }

    PrinterState state(Instant at) {
        if (reading == null) {
            return new PrinterState(
                    PrinterState.Connection.offline,
                    reason,
                    PrinterState.Status.offline,
                    null,
                    Map.of(),
                    List.of(),
                    List.of(),
                    null,
                    at);
        }
        return new PrinterState(
                PrinterState.Connection.online,
                null,
                reading.status(),
                progress(reading.file()),
                reading.temperatures(),
                reading.filamentSlots(),
                errors(reading),
                reading.printCounter(),
                at);
    }

    private static List<PrinterState.Fault> errors(Reading reading) {
        return reading.message() == null
                ? reading.errors()
                : Stream.concat(reading.errors().stream(), Stream.of(new PrinterState.Fault(null, reading.message())))
                        .toList();
    }

    private PrinterState.@Nullable Progress progress(Reading.@Nullable File file) {
        if (file == null) {
            return null;
        }
        JobFile job = ours(file.name());
        return new PrinterState.Progress(
                job == null ? null : job.jobId(),
                job == null ? null : (Integer) job.attempt(),
                file.name(),
                file.percent(),
                file.currentLayer(),
                file.totalLayers(),
                file.elapsedSeconds(),
                file.remainingSeconds());
    }

    /** A file of ours that somebody prints again by hand is nobody's job. */
    private @Nullable JobFile ours(String fileName) {
        boolean byHand = situation instanceof Situation.Vacant vacant && vacant.busy();
        return byHand ? null : JobFile.of(fileName);
    }
}
