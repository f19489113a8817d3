package farm.gantry.edge.printer;

import farm.gantry.printer.PrinterState;

/** Where a printer's news are put for the API. */
public interface Bulletin {
    void state(String deviceId, PrinterState state);

    /** There are new events in the journal. */
    void events();
}
