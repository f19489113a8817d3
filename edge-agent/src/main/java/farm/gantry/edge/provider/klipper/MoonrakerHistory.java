package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.printer.Connection.Remembered;
import farm.gantry.edge.printer.PrinterStatus.Ending;
import farm.gantry.json.Tree;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Moonraker's history of the last prints, the latest first, with the end of each. */
record MoonrakerHistory(Map<String, Object> reported) {

    /** Returns how the latest print of this file ended; empty while it runs. */
    Optional<Remembered> ending(String fileName) {
        return Tree.list(reported, "jobs").stream()
                .filter(job -> fileName.equals(Tree.text(job, "filename")))
                .findFirst()
                .flatMap(job -> ended(String.valueOf(Tree.text(job, "status"))));
    }

    /** Returns the id of the latest print. */
    String newest() {
        return Tree.list(reported, "jobs").stream()
                .map(job -> Tree.text(job, "job_id"))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("none");
    }

    /** Moonraker calls a print interrupted if Moonraker itself was stopped meanwhile: Klipper may print on. */
    private static Optional<Remembered> ended(String status) {
        return switch (status) {
            case "completed" -> Optional.of(Remembered.of(Ending.COMPLETED));
            case "cancelled" -> Optional.of(Remembered.of(Ending.CANCELLED));
            case "error" -> failed("Klipper ended the print with an error");
            case "klippy_shutdown" -> failed("Klipper shut down during the print");
            case "klippy_disconnect" -> failed("Klipper was killed or restarted during the print");
            default -> Optional.empty();
        };
    }

    private static Optional<Remembered> failed(String reason) {
        return Optional.of(new Remembered(Ending.FAILED, reason));
    }
}
