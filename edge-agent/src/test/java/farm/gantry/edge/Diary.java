package farm.gantry.edge;

import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.printer.Reading;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down in words what a provider told. */
public record Diary(List<String> heard) implements Provider.Listener {
    public static final String FIRST = "seen first";

    public Diary() {
        this(new CopyOnWriteArrayList<>());
    }

    @Override
    public void saw(Reading reading, boolean afterGap) {
        heard.add(afterGap ? FIRST : "seen " + reading.status());
    }

    @Override
    public void lost(String reason) {
        heard.add(reason);
    }

    public void await(String words) {
        Patience.until(words, () -> heard.contains(words), () -> heard);
    }

    /** Until it has heard the same so often. */
    public void await(String words, int times) {
        Patience.until(words + " " + times + " times", () -> Collections.frequency(heard, words) >= times, () -> heard);
    }

    /** Until it has heard so much. */
    public void await(int times) {
        Patience.until("it hears " + times + " times", () -> heard.size() >= times, () -> heard);
    }

    /** Until the printer is in sight now. */
    public void awaitSight() {
        Patience.until("it is seen", () -> !heard.isEmpty() && heard.getLast().startsWith("seen"), () -> heard);
    }
}
