package farm.gantry.edge.printer;

/** Holds the current view of a printer. The printer's thread sets it; any thread may read it. */
final class CurrentView {
    private volatile PrinterView view;

    CurrentView(PrinterView first) {
        this.view = first;
    }

    PrinterView get() {
        return view;
    }

    void set(PrinterView next) {
        view = next;
    }
}
