package farm.gantry.api.main.process;

import java.util.List;

/** Memory limits of the farm's JVMs. */
public final class JvmMemory {
    /** Maximum heap of the API, which reads plain G-code and handles requests. */
    public static final String API_HEAP = "768m";

    private JvmMemory() {}

    /**
     * Returns the JVM options for a heap of at most this size ({@code 768m}, {@code 2g}) whose unused part is returned
     * to the operating system. They select G1, which shrinks the heap periodically; the serial collector would keep the
     * memory of one large file.
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
