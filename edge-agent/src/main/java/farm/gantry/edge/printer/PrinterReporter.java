package farm.gantry.edge.printer;

import farm.gantry.printer.PrinterState;

/** Receives a printer's changes that must be reported to the API. */
public interface PrinterReporter {
    /** Called for each status of a printer, changed or not. */
    void statusReceived();

    void stateChanged(String deviceId, PrinterState state);

    /** Called when the journal has new events. */
    void eventsRecorded();
}
