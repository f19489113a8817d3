package farm.gantry.edge;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records the reports of a provider as text. */
public record TranscriptListener(List<String> entries) implements Provider.Listener {
    public static final String FIRST = "seen first";

    public TranscriptListener() {
        this(new CopyOnWriteArrayList<>());
    }

    @Override
    public void onStatus(PrinterStatus reading, boolean afterGap) {
        entries.add(afterGap ? FIRST : "seen " + reading.status());
    }

    @Override
    public void onDisconnect(String reason) {
        entries.add(reason);
    }

    public void await(String words) {
        Eventually.until(words, () -> entries.contains(words), () -> entries);
    }

    /** Waits until the report occurred this many times. */
    public void await(String words, int times) {
        Eventually.until(
                words + " " + times + " times", () -> Collections.frequency(entries, words) >= times, () -> entries);
    }

    /** Waits for this many reports. */
    public void await(int times) {
        Eventually.until("it hears " + times + " times", () -> entries.size() >= times, () -> entries);
    }

    /** Waits until the last report is a status. */
    public void awaitReachable() {
        Eventually.until(
                "it is seen", () -> !entries.isEmpty() && entries.getLast().startsWith("seen"), () -> entries);
    }
}
