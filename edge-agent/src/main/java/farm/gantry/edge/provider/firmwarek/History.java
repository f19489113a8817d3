package farm.gantry.edge.provider.firmwarek;

import farm.gantry.edge.json.Tree;
import farm.gantry.edge.printer.Reading.Ending;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Moonraker's list of the last prints, the latest first, and what became of each. */
record History(Map<String, Object> told) {

    /** Of the latest print of this file; empty while it runs. */
    Optional<Ending> ending(String fileName) {
        return Tree.list(told, "jobs").stream()
                .filter(job -> fileName.equals(Tree.text(job, "filename")))
                .findFirst()
                .flatMap(job -> ended(String.valueOf(Tree.text(job, "status"))));
    }

    /** The number of the latest print. */
    String newest() {
        return Tree.list(told, "jobs").stream()
                .map(job -> Tree.text(job, "job_id"))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("none");
    }

    private static Optional<Ending> ended(String status) {
        return switch (status) {
            case "completed" -> Optional.of(Ending.completed);
            case "cancelled" -> Optional.of(Ending.cancelled);
            case "error", "klippy_shutdown", "klippy_disconnect", "interrupted", "server_exit" ->
                Optional.of(Ending.failed);
            default -> Optional.empty();
        };
    }
}
