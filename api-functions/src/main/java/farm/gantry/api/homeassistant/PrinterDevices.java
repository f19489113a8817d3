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
final class PrinterDevices {
    private final Table<Printer> printers;
    private final Table<PrintJob> jobs;
    private final CurrentStates states;

    PrinterDevices(Tables tables, CurrentStates states) {
        this.printers = tables.of(Printer.class);
        this.jobs = tables.of(PrintJob.class);
        this.states = states;
    }

    PrinterDevice find(Tx tx, Printer printer) {
        return find(tx, List.of(printer)).getFirst();
    }

    /** Returns all printers of the store. */
    List<PrinterDevice> findAll(Tx tx) {
        return find(tx, printers.find(tx, ListQuery.all(printers.columns())));
    }

    private List<PrinterDevice> find(Tx tx, List<Printer> found) {
        Map<String, Printer> byId = found.stream().collect(Collectors.toMap(Printer::id, Function.identity()));
        Map<String, PrintJob> jobsById = jobs.findAll(
                tx,
                found.stream()
                        .flatMap(printer -> Stream.ofNullable(printer.printingJobId()))
                        .toList());
        return states.find(tx, List.copyOf(byId.keySet())).stream()
                .map(current ->
                        device(Objects.requireNonNull(byId.get(current.printerId())), current.state(), jobsById))
                .toList();
    }

    private static PrinterDevice device(Printer printer, PrinterState state, Map<String, PrintJob> jobs) {
        return new PrinterDevice(
                printer, state, printer.printingJobId() == null ? null : jobs.get(printer.printingJobId()));
    }
}
