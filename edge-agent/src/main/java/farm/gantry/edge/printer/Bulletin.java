package farm.gantry.edge.printer;

import farm.gantry.printer.PrinterState;

/** Where a printer's news are put for the API. */
public interface Bulletin {
    /** A printer told its state, be it news or not. */
    void heard();

    void state(String deviceId, PrinterState state);

    /** There are new events in the journal. */
    void events();
}
