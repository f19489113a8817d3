package farm.gantry.local;

import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A printer and the person beside it, who removes each print once and then marks the bed as clear. A print that begins
 * although nobody has cleared the bed since the last one began is a fault.
 */
final class ChaosPrinter implements AutoCloseable {
    private final Farm farm;
    private final FarmPrinter machine;
    private final ChaosReport log;
    private int cleared = 1;

    ChaosPrinter(Farm farm, String name, ChaosReport log) throws IOException {
        this.farm = farm;
        this.machine = farm.addPrinter(name);
        this.log = log;
    }

    List<String> startedFiles() throws IOException {
        return machine.startedFiles();
    }

    /** Checks the printer once. Removes the print and marks the bed as clear if the farm waits for that. */
    void attend() throws IOException {
        boolean isPrinting = machine.isPrinting();
        int starts = startedFiles().size();
        if (starts > cleared) {
            log.addFault("printer " + machine.id() + " began a print on an occupied bed: " + startedFiles());
            cleared = starts;
        }
        if (isPrinting || startedFiles().size() != starts) {
            return;
        }
        FarmApiClient.Reply reply = farm.attempt("GET", "/v1/printers/" + machine.id(), Map.of());
        if (reply.status() != 200) {
            return;
        }
        JsonNode printer = farm.api().parse(reply.body());
        if (printer.get("confirmedReady").getBooleanValue()
                || !printer.get("printingJobId").isNull()) {
            return;
        }
        if (starts == cleared) {
            cleared++;
        }
        FarmApiClient.Reply confirmed = farm.attempt(
                "PATCH", "/v1/printers/confirm-ready", Map.of("ids", List.of(machine.id()), "ready", true));
        log.count(confirmed.status() == 200 ? "beds confirmed" : "confirmations without effect");
    }

    @Override
    public void close() {
        machine.close();
    }
}
