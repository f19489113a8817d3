package farm.gantry.edge.printer;

import farm.gantry.printer.PrinterState;

/** Receives what is to be reported to the API of a printer. */
public interface PrinterReporter {
    /** A printer sent its status, changed or not. */
    void statusReceived();

    void state(String deviceId, PrinterState state);

    /** There are new events in the journal. */
    void events();
}
