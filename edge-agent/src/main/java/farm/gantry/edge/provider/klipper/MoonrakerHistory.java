package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.printer.Connection.Remembered;
import farm.gantry.edge.printer.PrinterStatus.Ending;
import farm.gantry.json.Tree;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Moonraker's list of the last prints, the latest first, and what became of each. */
record MoonrakerHistory(Map<String, Object> reported) {

    /** Of the latest print of this file; empty while it runs. */
    Optional<Remembered> ending(String fileName) {
        return Tree.list(reported, "jobs").stream()
                .filter(job -> fileName.equals(Tree.text(job, "filename")))
                .findFirst()
                .flatMap(job -> ended(String.valueOf(Tree.text(job, "status"))));
    }

    /** The number of the latest print. */
    String newest() {
        return Tree.list(reported, "jobs").stream()
                .map(job -> Tree.text(job, "job_id"))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("none");
    }

    /** Moonraker calls a print interrupted when it was itself stopped meanwhile: Klipper may print on. */
    private static Optional<Remembered> ended(String status) {
        return switch (status) {
            case "completed" -> Optional.of(Remembered.of(Ending.COMPLETED));
            case "cancelled" -> Optional.of(Remembered.of(Ending.CANCELLED));
            case "error" -> failed("Klipper ended the print with an error");
            case "klippy_shutdown" -> failed("Klipper shut down in the middle of the print");
            case "klippy_disconnect" -> failed("Klipper was killed or restarted in the middle of the print");
            default -> Optional.empty();
        };
    }

    private static Optional<Remembered> failed(String reason) {
        return Optional.of(new Remembered(Ending.FAILED, reason));
    }
}
