package farm.gantry.api.wall;

import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import io.micronaut.serde.annotation.Serdeable;

/** Condition of a printer, in the order in which people must attend to it. */
@Serdeable
enum WallState {
    fault,
    paused,
    clear,
    printing,
    preparing,
    ready,
    offline,
    off;

    /** Returns the more serious of the states in the record and in the latest report, because either may lag. */
    static WallState of(Printer printer, PrinterState state) {
        boolean isBusy = printer.printingJobId() != null;
        if (printer.isInMaintenance() || !printer.enabled()) {
            return off;
        }
        if (!printer.isOnline() || state.connection() == PrinterState.Connection.offline) {
            return isBusy ? fault : offline;
        }
        return switch (state.status()) {
            case error -> fault;
            case paused -> paused;
            case printing -> printing;
            case preparing -> preparing;
            case idle, finished, failed, cancelled, offline, unknown ->
                !state.errors().isEmpty()
                        ? fault
                        : !printer.confirmedReady()
                                ? clear
                                : printer.quarantinedAt() != null ? fault : isBusy ? preparing : ready;
        };
    }

    /** Whether a running job is on the bed. */
    boolean hasJob() {
        return switch (this) {
            case fault, paused, printing, preparing -> true;
            case clear, ready, offline, off -> false;
        };
    }
}
