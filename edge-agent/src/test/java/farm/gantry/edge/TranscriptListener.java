package farm.gantry.edge;

import farm.gantry.edge.printer.PrinterStatus;
import farm.gantry.edge.printer.Provider;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down as text what a provider reported. */
public record TranscriptListener(List<String> heard) implements Provider.Listener {
    public static final String FIRST = "seen first";

    public TranscriptListener() {
        this(new CopyOnWriteArrayList<>());
    }

    @Override
    public void saw(PrinterStatus reading, boolean afterGap) {
        heard.add(afterGap ? FIRST : "seen " + reading.status());
    }

    @Override
    public void lost(String reason) {
        heard.add(reason);
    }

    public void await(String words) {
        Eventually.until(words, () -> heard.contains(words), () -> heard);
    }

    /** Until it has heard the same so often. */
    public void await(String words, int times) {
        Eventually.until(
                words + " " + times + " times", () -> Collections.frequency(heard, words) >= times, () -> heard);
    }

    /** Until it has heard so much. */
    public void await(int times) {
        Eventually.until("it hears " + times + " times", () -> heard.size() >= times, () -> heard);
    }

    /** Until the printer is in sight now. */
    public void awaitSight() {
        Eventually.until("it is seen", () -> !heard.isEmpty() && heard.getLast().startsWith("seen"), () -> heard);
    }
}
