package farm.gantry.edge.printer;

import farm.gantry.printer.PrinterState;

/** Receives what must be reported to the API about a printer. */
public interface PrinterReporter {
    /** Called for each status of a printer, changed or not. */
    void statusReceived();

    void stateChanged(String deviceId, PrinterState state);

    /** Called when the journal has new events. */
    void eventsRecorded();
}
