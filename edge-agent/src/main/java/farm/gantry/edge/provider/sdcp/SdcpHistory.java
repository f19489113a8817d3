package farm.gantry.edge.provider.sdcp;

import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The printer's own history of its prints, with the end of each. */
record SdcpHistory(SdcpSocket socket) {

    /** Returns how the latest print of this file ended; empty while it runs. */
    Optional<Ending> ending(String fileName) throws IOException, Refusal, InterruptedException {
        return findLatest(task -> fileName.equals(Tree.text(task, "TaskName")))
                .flatMap(task -> ending((int) Tree.number(task, "TaskStatus", 0)));
    }

    /** Returns the id of the latest print, which the print itself also reports while it runs. */
    String newestPrint() throws IOException, Refusal, InterruptedException {
        return findLatest(_ -> true).map(task -> Tree.text(task, "TaskId")).orElse("none");
    }

    private Optional<Map<String, Object>> findLatest(Predicate<Map<String, Object>> which)
            throws IOException, Refusal, InterruptedException {
        List<?> ids = Tree.list(socket.requestSuccess(SdcpMethod.HISTORY, Map.of()), "HistoryData");
        if (ids.isEmpty()) {
            return Optional.empty();
        }
        return Tree.list(socket.requestSuccess(SdcpMethod.TASKS, Map.of("Id", ids)), "HistoryDetailList").stream()
                .map(Tree::object)
                .filter(which)
                .max(Comparator.comparingDouble(task -> Tree.number(task, "BeginTime", 0)));
    }

    private static Optional<Ending> ending(int status) {
        return switch (status) {
            case 1 -> Optional.of(Ending.COMPLETED);
            case 2 -> Optional.of(Ending.FAILED);
            case 3 -> Optional.of(Ending.CANCELLED);
            default -> Optional.empty();
        };
    }
}
