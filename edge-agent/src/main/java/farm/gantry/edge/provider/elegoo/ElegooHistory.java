package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.json.Tree;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The printer's own history of its last prints, with the end of each. */
record ElegooHistory(Map<String, Object> reported) {

    /** Returns how the latest print of this file ended; empty while it runs. */
    Optional<Ending> ending(String fileName) {
        return Tree.list(reported, "result", "history_task_list").stream()
                .filter(task -> fileName.equals(fileName(task)))
                .max(Comparator.comparingDouble(task -> Tree.number(task, "begin_time", 0)))
                .flatMap(task -> ending((int) Tree.number(task, "task_status", 0)));
    }

    /**
     * Returns the id of the latest print with a digest of the whole list. The result changes with every print, even if
     * the printer's clock was set back or the oldest print left the list. Null if the printer reports no prints.
     */
    @Nullable
    String newestPrint() {
        if (!Tree.object(reported, "result").containsKey("history_task_list")) {
            return null;
        }
        List<?> tasks = Tree.list(reported, "result", "history_task_list");
        List<String> numbers =
                tasks.stream().map(ElegooHistory::taskId).sorted().toList();
        return tasks.stream()
                .max(Comparator.comparingDouble(task -> Tree.number(task, "begin_time", 0)))
                .map(task -> taskId(task) + "-" + Integer.toHexString(numbers.hashCode()))
                .orElse("none");
    }

    private static String taskId(Object task) {
        return String.valueOf(Tree.text(task, "task_id"));
    }

    private static String fileName(Object task) {
        String path = Objects.requireNonNullElse(Tree.text(task, "task_name"), "");
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /**
     * Converts the number of an ending. Both 2 and 3 are stopped prints; by analogy with the maker's SDCP printers,
     * only 3 was stopped by a person.
     */
    private static Optional<Ending> ending(int status) {
        return switch (status) {
            case 1 -> Optional.of(Ending.COMPLETED);
            case 2 -> Optional.of(Ending.FAILED);
            case 3 -> Optional.of(Ending.CANCELLED);
            default -> Optional.empty();
        };
    }
}
