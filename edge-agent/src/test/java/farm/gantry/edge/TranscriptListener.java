package farm.gantry.edge;

import farm.gantry.edge.printer.PrinterStatus;
import farm.gantry.edge.printer.Provider;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down as text what a provider reported. */
public record TranscriptListener(List<String> entries) implements Provider.Listener {
    public static final String FIRST = "seen first";

    public TranscriptListener() {
        this(new CopyOnWriteArrayList<>());
    }

    @Override
    public void saw(PrinterStatus reading, boolean afterGap) {
        entries.add(afterGap ? FIRST : "seen " + reading.status());
    }

    @Override
    public void lost(String reason) {
        entries.add(reason);
    }

    public void await(String words) {
        Eventually.until(words, () -> entries.contains(words), () -> entries);
    }

    /** Until it has heard the same so often. */
    public void await(String words, int times) {
        Eventually.until(
                words + " " + times + " times", () -> Collections.frequency(entries, words) >= times, () -> entries);
    }

    /** Until it has heard so much. */
    public void await(int times) {
        Eventually.until("it hears " + times + " times", () -> entries.size() >= times, () -> entries);
    }

    /** Until the printer is in sight now. */
    public void awaitSight() {
        Eventually.until(
                "it is seen", () -> !entries.isEmpty() && entries.getLast().startsWith("seen"), () -> entries);
    }
}
