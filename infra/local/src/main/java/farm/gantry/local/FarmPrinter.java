package farm.gantry.local;

import farm.gantry.simulator.klipper.MoonrakerSimulator;
import farm.gantry.simulator.printer.SimulationSpeed;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.StreamSupport;

/**
 * A simulated printer that is registered in the farm, with methods to inject faults. It keeps running when API and
 * agent are killed.
 */
final class FarmPrinter implements AutoCloseable {
    /** The simulation speed: a minute of simulated time passes in a second. */
    private static final SimulationSpeed PACE = new SimulationSpeed(60, null);

    /**
     * The used ports, including those of closed printers, which stay registered: two printers at one address count as
     * one machine, which prints nothing.
     */
    private static final Set<Integer> PORTS = ConcurrentHashMap.newKeySet();

    private final Farm farm;
    private final MoonrakerSimulator simulator = simulator();
    private final FarmApiClient itself = new FarmApiClient("http://127.0.0.1:" + simulator.port(), "none");
    private final String name;
    private final String id;

    FarmPrinter(Farm farm, String name, List<String> tags) throws IOException {
        this.farm = farm;
        this.name = name;
        this.id = farm.register(name, tags, simulator.port());
    }

    private static MoonrakerSimulator simulator() {
        while (true) {
            MoonrakerSimulator simulator = new MoonrakerSimulator(0, PACE, null);
            if (PORTS.add(simulator.port())) {
                return simulator;
            }
            simulator.close();
        }
    }

    String id() {
        return id;
    }

    JsonNode printer() throws IOException {
        return farm.api().get("/v1/printers/" + id);
    }

    JsonNode state() throws IOException {
        return farm.api().get("/v1/printers/" + id + "/state");
    }

    JsonNode awaitPrinter(String what, String field, Object value) {
        return Eventually.see(what, this::printer, printer -> FarmRequests.is(printer, field, value));
    }

    JsonNode awaitState(String what, String field, Object value) {
        return Eventually.see(what, this::state, state -> FarmRequests.is(state, field, value));
    }

    /** Waits for a snapshot in JPEG. */
    void awaitSnapshot() {
        Eventually.see(
                "what the camera of " + name + " shows",
                () -> farm.api().get("/v1/printers/snapshots?ids=" + id).get(0),
                shown -> shown.get("image").isString()
                        && shown.get("image").getStringValue().startsWith("/9j/"));
    }

    /** Waits until the API knows that the printer is idle, and marks its bed as clear, as a person would. */
    void confirmBed() throws IOException {
        Eventually.see(
                "the bed of " + name + " is confirmed",
                () -> farm.api().patch("/v1/printers/confirm-ready", Map.of("ids", List.of(id), "ready", true)),
                _ -> true);
    }

    /** Returns the names of the files whose print was started, in order. */
    List<String> startedFiles() throws IOException {
        return StreamSupport.stream(
                        itself.get("/sim/log").get("starts").values().spliterator(), false)
                .map(JsonNode::getStringValue)
                .toList();
    }

    /** Returns the printer's own state, whatever the agent reports. */
    boolean isPrinting() throws IOException {
        JsonNode prints = itself.get("/server/history/list").get("result").get("jobs");
        return StreamSupport.stream(prints.values().spliterator(), false)
                .anyMatch(print -> FarmRequests.is(print, "status", "in_progress"));
    }

    /** Ends its print at once. */
    void finish() throws IOException {
        fail("finished");
    }

    /** Ends the print, and waits until the agent has journaled its end, even if the agent cannot report it. */
    void finishAndAwaitJournal() throws IOException {
        int before = completedPrints(farm.agentStatus());
        finish();
        Eventually.see("its agent notes the end", farm::agentStatus, report -> completedPrints(report) > before);
    }

    private static int completedPrints(JsonNode report) {
        return report.get("counts").get("prints").get("completed").getIntValue();
    }

    /** Injects a fault: {@code print-error}, {@code offline}, {@code disconnect} and others. */
    void fail(String kind) throws IOException {
        itself.post("/sim/fail", Map.of("kind", kind));
    }

    void recover() throws IOException {
        itself.post("/sim/recover", Map.of());
    }

    /** Acts like a person at the printer's own display: {@code pause}, {@code resume}, {@code cancel}. */
    void press(String button) throws IOException {
        itself.post("/printer/print/" + button, Map.of());
    }

    @Override
    public void close() {
        simulator.close();
    }
}
