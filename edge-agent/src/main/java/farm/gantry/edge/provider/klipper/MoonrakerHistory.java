package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.printer.connection.PrinterConnection.RecordedEnding;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.json.Tree;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Moonraker's history of the last prints, the latest first, with the end of each. */
record MoonrakerHistory(Map<String, Object> reported) {

    /** Returns how the latest print of this file ended; empty while it runs. */
    Optional<RecordedEnding> ending(String fileName) {
        return Tree.list(reported, "jobs").stream()
                .filter(job -> fileName.equals(Tree.text(job, "filename")))
                .findFirst()
                .flatMap(job -> endingOfStatus(String.valueOf(Tree.text(job, "status"))));
    }

    /** Returns the id of the latest print. */
    String newestPrint() {
        return Tree.list(reported, "jobs").stream()
                .map(job -> Tree.text(job, "job_id"))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("none");
    }

    /**
     * Returns the ending for a status in the history. Empty for an interrupted print, which means that Moonraker was
     * stopped meanwhile, while Klipper may still print.
     */
    private static Optional<RecordedEnding> endingOfStatus(String status) {
        return switch (status) {
            case "completed" -> Optional.of(RecordedEnding.of(Ending.COMPLETED));
            case "cancelled" -> Optional.of(RecordedEnding.of(Ending.CANCELLED));
            case "error" -> failedEnding("Klipper ended the print with an error");
            case "klippy_shutdown" -> failedEnding("Klipper shut down during the print");
            case "klippy_disconnect" -> failedEnding("Klipper was killed or restarted during the print");
            default -> Optional.empty();
        };
    }

    private static Optional<RecordedEnding> failedEnding(String reason) {
        return Optional.of(new RecordedEnding(Ending.FAILED, reason));
    }
}
