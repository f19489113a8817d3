package farm.gantry.api.main.process;

import java.util.List;

/** Memory limits of the farm's JVMs. */
public final class JvmMemory {
    /** The API reads plain G-code and answers requests. */
    public static final String API_HEAP = "768m";

    private JvmMemory() {}

    /**
     * A heap of at most that size ({@code 768m}, {@code 2g}), whose unused part goes back to the machine. G1 collects and
     * shrinks by a clock of its own; the smaller serial collector would keep what one large file took until the next one
     * fills it.
     */
    public static List<String> maxHeapOptions(String maxHeap) {
        return List.of(
                "-Xms32m",
                "-Xmx" + maxHeap,
                "-XX:+UseG1GC",
                "-XX:G1PeriodicGCInterval=30000",
                "-XX:MinHeapFreeRatio=10",
                "-XX:MaxHeapFreeRatio=30");
    }
}
