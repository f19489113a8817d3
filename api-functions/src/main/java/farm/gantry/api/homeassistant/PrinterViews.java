package farm.gantry.api.homeassistant;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.printer.readiness.CurrentStates;
import farm.gantry.api.query.ListQuery;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads printers with their states and jobs. */
@Singleton
final class PrinterViews {
    private final Table<Printer> printers;
    private final Table<PrintJob> jobs;
    private final CurrentStates states;

    PrinterViews(Tables tables, CurrentStates states) {
        this.printers = tables.of(Printer.class);
        this.jobs = tables.of(PrintJob.class);
        this.states = states;
    }

    PrinterView find(Tx tx, Printer printer) {
        return find(tx, List.of(printer)).getFirst();
    }

    /** Returns all printers of the store. */
    List<PrinterView> findAll(Tx tx) {
        return find(tx, printers.find(tx, ListQuery.all(printers.columns())));
    }

    private List<PrinterView> find(Tx tx, List<Printer> found) {
        Map<String, Printer> byId = found.stream().collect(Collectors.toMap(Printer::id, Function.identity()));
        Map<String, PrintJob> jobsById = jobs.findAll(
                tx,
                found.stream()
                        .flatMap(printer -> Stream.ofNullable(printer.printingJobId()))
                        .toList());
        return states.find(tx, List.copyOf(byId.keySet())).stream()
                .map(current -> view(Objects.requireNonNull(byId.get(current.printerId())), current.state(), jobsById))
                .toList();
    }

    private static PrinterView view(Printer printer, PrinterState state, Map<String, PrintJob> jobs) {
        return new PrinterView(
                printer, state, printer.printingJobId() == null ? null : jobs.get(printer.printingJobId()));
    }
}
