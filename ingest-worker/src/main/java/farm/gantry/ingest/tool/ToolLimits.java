package farm.gantry.ingest.tool;

import java.time.Duration;

/** How long a tool may run, how much memory it may request, and how large a file it may write. */
public record ToolLimits(Duration time, long memoryBytes, long fileBytes) {
    public static final ToolLimits DEFAULTS = new ToolLimits(Duration.ofMinutes(5), 4L << 30, 1L << 30);

    ToolLimits within(Duration atMost) {
        return new ToolLimits(atMost, memoryBytes, fileBytes);
    }
}
