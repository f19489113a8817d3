package farm.gantry.edge.printer;

/** The current view of a printer, which its thread sets and any thread reads. */
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
