package farm.gantry.local;

import io.micronaut.json.tree.JsonNode;
import java.io.Console;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Shows one line per printer. On a terminal, the lines are redrawn in place; otherwise they are printed again after
 * each change.
 */
final class TerminalDisplay {
    private static final int BAR = 24;

    private final boolean terminal =
            Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    private List<String> shown = List.of();

    void show(List<String> lines) {
        if (terminal) {
            if (!shown.isEmpty()) {
                System.out.print("\u001b[" + shown.size() + "A");
            }
            lines.forEach(line -> System.out.println("\u001b[2K" + line));
        } else {
            for (int i = 0; i < lines.size(); i++) {
                if (i >= shown.size() || !lines.get(i).equals(shown.get(i))) {
                    System.out.println(lines.get(i));
                }
            }
        }
        shown = lines;
    }

    /** Returns the printer's name, state, progress, layer and remaining time. */
    static String formatLine(String name, JsonNode state) {
        JsonNode job = state.get("job");
        String status = state.get("status").getStringValue();
        if (job.isNull()) {
            return String.format(Locale.ROOT, "  %-20s %-10s", name, status);
        }
        double percent = job.get("percent").getDoubleValue();
        int filled = (int) Math.round(percent / 100 * BAR);
        return String.format(
                Locale.ROOT,
                "  %-20s %-10s [%s%s] %3.0f %%  layer %s of %s%s",
                name,
                status,
                "#".repeat(filled),
                ".".repeat(BAR - filled),
                percent,
                formatNumber(job.get("currentLayer")),
                formatNumber(job.get("totalLayers")),
                job.get("remainingSeconds").isNull()
                        ? ""
                        : "  " + formatNumber(job.get("remainingSeconds")) + " s left");
    }

    private static String formatNumber(JsonNode node) {
        return node == null || node.isNull() ? "?" : Long.toString(node.getLongValue());
    }
}
