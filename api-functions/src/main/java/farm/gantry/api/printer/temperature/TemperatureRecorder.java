package farm.gantry.api.printer.temperature;

import farm.gantry.api.database.Tx;
import farm.gantry.printer.PrinterState;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Records the temperatures that printers report, of each printer at most one sample in ten seconds. */
@Singleton
public final class TemperatureRecorder {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final TemperatureRows rows;
    /** When each printer was sampled last by this process. */
    private final Map<String, Instant> sampled = new ConcurrentHashMap<>();

    TemperatureRecorder(TemperatureRows rows) {
        this.rows = rows;
    }

    /** Records the temperatures of printers whose reports have any; {@code states} are their resulting states. */
    public void onReports(Tx tx, Map<String, Map<String, Object>> reports, Map<String, PrinterState> states) {
        SortedMap<String, TemperatureSample> samples = new TreeMap<>();
        states.forEach((printerId, state) -> {
            if (reports.getOrDefault(printerId, Map.of()).containsKey("temperatures")
                    && !state.temperatures().isEmpty()
                    && isDue(printerId, state.at())) {
                samples.put(printerId, new TemperatureSample(state.at(), new TreeMap<>(state.temperatures())));
            }
        });
        if (!samples.isEmpty()) {
            rows.add(tx, samples);
            samples.forEach((printerId, sample) -> sampled.put(printerId, sample.at()));
        }
    }

    private boolean isDue(String printerId, Instant at) {
        Instant last = sampled.get(printerId);
        return last == null || at.isBefore(last) || !at.isBefore(last.plus(INTERVAL));
    }
}
