package farm.gantry.edge.printer.state;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.state.JobState.Absence;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.printer.state.UnconfirmedState.AbsentPrint;
import farm.gantry.edge.printer.state.UnconfirmedState.EndUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.PrintLost;
import farm.gantry.edge.printer.state.UnconfirmedState.StartUnconfirmed;
import farm.gantry.edge.printer.state.UnconfirmedState.UnconfirmedPrint;
import farm.gantry.edge.printer.state.UnconfirmedState.UnseenPrint;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides by a status whether an unconfirmed print runs, has ended, or must be given up. {@code grace} is how long a
 * printer may show a file other than ours before our print is given up, and {@code untilShown} that limit for a print
 * that the printer has not shown yet. {@code namesNext} is whether the provider has {@link
 * Provider.Ability#NAMES_NEXT}.
 */
record PrintSearch(Duration grace, Duration untilShown, boolean namesNext) {
    /**
     * The maximum number of queries of the printer's history within the grace period. The history is queried repeatedly
     * because it may not contain the print yet.
     */
    private static final int MAX_HISTORY_QUERIES = 6;

    private static final String LOST =
            "needs attention: the printer no longer shows the print, and its end was not seen: check the bed";
    static final String UNKNOWN = "needs attention: it could not be determined whether the print ran: check the bed";

    /** The decision after a status. {@code U} is the type of the state that may keep waiting. */
    sealed interface Finding<U extends UnconfirmedPrint> {}

    /** Nothing is certain yet: the state {@code next} waits for the next status. */
    record Waiting<U extends UnconfirmedPrint>(U next, boolean queriesHistory) implements Finding<U> {}

    /** The printer shows the print as not ended. */
    record Visible<U extends UnconfirmedPrint>() implements Finding<U> {}

    record Ended<U extends UnconfirmedPrint>(Ending ending) implements Finding<U> {}

    /** The printer has dropped the start and has certainly not begun the print. */
    record NeverBegan() implements Finding<UnseenPrint> {}

    record GivenUp<U extends UnconfirmedPrint>(String reason) implements Finding<U> {}

    /** Returns how much of the wait for a print may have passed before the agent was restarted, at most. */
    Duration maxEarlierWait() {
        return untilShown.minus(untilShown.dividedBy(MAX_HISTORY_QUERIES));
    }

    Finding<? extends UnconfirmedPrint> find(UnconfirmedPrint print, PrinterEvent.StatusRead seen) {
        return switch (print) {
            case UnseenPrint unseen -> find(unseen, seen);
            case PrintLost lost -> find(lost, seen);
        };
    }

    Finding<UnseenPrint> find(UnseenPrint print, PrinterEvent.StatusRead seen) {
        Ending ending = seen.status().ending();
        if (seen.isShowing(print.job())) {
            return ending == null ? new Visible<>() : judgeEnd(print, seen, ending);
        }
        AbsentPrint absent = switch (print) {
            case AbsentPrint same -> same;
            case EndUnconfirmed(AbsentPrint same, var _) -> same;
        };
        WaitDecision wait = decideWait(absent.absence(), seen, untilShown);
        if (wait != null) {
            return new Waiting<>(absent.withAbsence(wait.absence()), wait.queriesHistory());
        }
        if (absent instanceof StartUnconfirmed start) {
            return hasNeverBegun(start.before(), seen.status()) ? new NeverBegan() : new GivenUp<>(UNKNOWN);
        }
        return new GivenUp<>(LOST);
    }

    Finding<PrintLost> find(PrintLost print, PrinterEvent.StatusRead seen) {
        Ending ending = seen.status().ending();
        if (seen.isShowing(print.job())) {
            return ending == null ? new Visible<>() : new Ended<>(ending);
        }
        WaitDecision wait = decideWait(print.absence(), seen, grace);
        return wait == null
                ? new GivenUp<>(LOST)
                : new Waiting<>(print.withAbsence(wait.absence()), wait.queriesHistory());
    }

    /**
     * Decides about the end of a print that was never shown as running. Some printers show the next file name for a
     * while together with the last print's end, also while they prepare the next print. So the end counts only after a
     * printer at rest has shown it for {@code untilShown}. Printers that may show it permanently leave open to which
     * print it belongs. The printer's history can answer this at once.
     */
    private Finding<UnseenPrint> judgeEnd(UnseenPrint print, PrinterEvent.StatusRead seen, Ending ending) {
        boolean isBusy = seen.status().status().isBusy();
        return switch (print) {
            case AbsentPrint absent -> new Waiting<>(new EndUnconfirmed(absent, seen.receivedAt()), !isBusy);
            case EndUnconfirmed end -> {
                if (isBusy) {
                    yield new Waiting<>(new EndUnconfirmed(end.print(), seen.receivedAt()), false);
                }
                if (!isTimedOut(end.since(), seen, untilShown)) {
                    yield new Waiting<>(end, false);
                }
                yield namesNext ? new GivenUp<>(UNKNOWN) : new Ended<>(ending);
            }
        };
    }

    private record WaitDecision(Absence absence, boolean queriesHistory) {}

    /** Returns how to keep waiting for a print that the printer does not show; null if the wait has timed out. */
    private @Nullable WaitDecision decideWait(@Nullable Absence absence, PrinterEvent.StatusRead seen, Duration limit) {
        if (absence == null) {
            return new WaitDecision(Absence.startingAt(seen.receivedAt()), true);
        }
        if (isBusyWithoutFile(seen.status())) {
            return new WaitDecision(Absence.startingAt(seen.receivedAt()), false);
        }
        if (seen.afterGap()) {
            return new WaitDecision(absence, true);
        }
        if (isTimedOut(absence.since(), seen, limit)) {
            return null;
        }
        return isTimedOut(absence.historyQueriedAt(), seen, grace.dividedBy(MAX_HISTORY_QUERIES))
                ? new WaitDecision(absence.withHistoryQueriedAt(seen.receivedAt()), true)
                : new WaitDecision(absence, false);
    }

    private static boolean isTimedOut(Duration since, PrinterEvent.StatusRead seen, Duration limit) {
        return seen.receivedAt().compareTo(since.plus(limit)) >= 0;
    }

    /**
     * Returns whether the printer is busy without a file, so that it may have queued the start behind its current work.
     */
    private static boolean isBusyWithoutFile(PrinterStatus reading) {
        return reading.status().isBusy() && reading.fileName().isEmpty();
    }

    /**
     * Returns whether the printer is idle and its print counter is unchanged since right before the start, which proves
     * that the print has not begun.
     */
    private static boolean hasNeverBegun(@Nullable NoJob before, PrinterStatus reading) {
        return before != null
                && reading.isStartable()
                && reading.fileName().equals(before.lastFile())
                && reading.printCounter() != null
                && reading.printCounter().equals(before.printCounter());
    }
}
