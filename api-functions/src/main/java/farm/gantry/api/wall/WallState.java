package farm.gantry.api.wall;

import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import io.micronaut.serde.annotation.Serdeable;

/** What a printer is up to, in the order in which people must see to it. */
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

    /** By its record and its latest state; both may lag, and the graver one counts. */
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

    /** Whether a job is on the bed that is not over. */
    boolean hasJob() {
        return switch (this) {
            case fault, paused, printing, preparing -> true;
            case clear, ready, offline, off -> false;
        };
    }
}
