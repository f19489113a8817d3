package farm.gantry.edge.printer.state;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.JobState.ForeignPrint;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.printer.PrinterState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The state of a printer without a farm job after a new status, and a description of how its bed was used since the
 * previous status. {@code bedUse} is null if nothing shows that the bed was used.
 */
public record BedCheck(NoJob currentState, @Nullable String bedUse) {
    /**
     * Compares a new status with the previous state to detect a print that the farm did not start, its end, or the loss
     * of the printer's last file name. A printer that is busy without a file is homing or receiving a file. {@code
     * unseen} is how long the printer was not observed before this status, null if there was no gap.
     */
    public static BedCheck compare(NoJob before, PrinterStatus reading, @Nullable Duration unseen) {
        if (!reading.isActivityKnown()) {
            return new BedCheck(before, null);
        }
        String file = reading.fileName();
        boolean busy = reading.status().isBusy() && !file.isEmpty() && reading.ending() == null;
        String counter = reading.printCounter() == null ? before.printCounter() : reading.printCounter();
        String use = describeForeignPrint(before, file, busy);
        if (use == null && !busy && unseen != null) {
            use = describePossibleUnseenPrint(before, reading.printCounter(), unseen);
        }
        return new BedCheck(NoJob.of(file, busy, counter), use);
    }

    /** Describes a print that the farm did not start; null if nothing shows one. */
    private static @Nullable String describeForeignPrint(NoJob before, String file, boolean busy) {
        boolean wasBusy = before instanceof ForeignPrint;
        boolean same = file.equals(before.lastFile());
        if (busy) {
            return same && wasBusy ? null : "the printer is printing " + file + ", which the farm did not start";
        }
        if (wasBusy) {
            return "the print of " + before.lastFile() + ", which the farm did not start, has ended";
        }
        if (!same && !file.isEmpty()) {
            return "the printer has printed " + file + ", which the farm did not start";
        }
        return same || before.lastFile() == null
                ? null
                : "the printer was restarted or reset after " + before.lastFile();
    }

    /** Describes the print that may have run while the printer was offline; null if none can have run. */
    private static @Nullable String describePossibleUnseenPrint(
            NoJob before, @Nullable String counter, Duration unseen) {
        if (before.lastFile() == null) {
            return null;
        }
        if (counter != null && before.printCounter() != null) {
            return counter.equals(before.printCounter()) ? null : "the printer has printed while it was unreachable";
        }
        return unseen.compareTo(PrinterState.MIN_PRINT) <= 0
                ? null
                : "the printer was unreachable for " + unseen.toMinutes()
                        + " minutes and cannot report whether it has printed";
    }
}
