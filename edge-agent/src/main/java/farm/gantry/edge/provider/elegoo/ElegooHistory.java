package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.printer.PrinterStatus.Ending;
import farm.gantry.json.Tree;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The printer's own list of its last prints, and what became of each. */
record ElegooHistory(Map<String, Object> reported) {

    /** Of the latest print of this file; empty while it runs. */
    Optional<Ending> ending(String fileName) {
        return Tree.list(reported, "result", "history_task_list").stream()
                .filter(task -> fileName.equals(name(task)))
                .max(Comparator.comparingDouble(task -> Tree.number(task, "begin_time", 0)))
                .flatMap(task -> ending((int) Tree.number(task, "task_status", 0)));
    }

    /**
     * The number of the latest print and a digest of all that are listed, which changes with every print: also with one of a
     * printer whose clock was set back, and where the oldest leaves the list. Null where the printer does not tell its prints.
     */
    @Nullable
    String newest() {
        if (!Tree.object(reported, "result").containsKey("history_task_list")) {
            return null;
        }
        List<?> tasks = Tree.list(reported, "result", "history_task_list");
        List<String> numbers =
                tasks.stream().map(ElegooHistory::number).sorted().toList();
        return tasks.stream()
                .max(Comparator.comparingDouble(task -> Tree.number(task, "begin_time", 0)))
                .map(task -> number(task) + "-" + Integer.toHexString(numbers.hashCode()))
                .orElse("none");
    }

    private static String number(Object task) {
        return String.valueOf(Tree.text(task, "task_id"));
    }

    private static String name(Object task) {
        String path = Objects.requireNonNullElse(Tree.text(task, "task_name"), "");
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Both 2 and 3 were stopped; as SDCP printers of the same maker have it, only the latter by somebody. */
    private static Optional<Ending> ending(int status) {
        return switch (status) {
            case 1 -> Optional.of(Ending.COMPLETED);
            case 2 -> Optional.of(Ending.FAILED);
            case 3 -> Optional.of(Ending.CANCELLED);
            default -> Optional.empty();
        };
    }
}
