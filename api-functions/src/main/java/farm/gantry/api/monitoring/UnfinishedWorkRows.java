package farm.gantry.api.monitoring;

import farm.gantry.api.database.Database;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/** Numbers over all stores. */
@Singleton
public final class UnfinishedWorkRows {
    private final Database database;

    UnfinishedWorkRows(Database database) {
        this.database = database;
    }

    /**
     * So many of a kind ({@code outbox}, {@code queue}, {@code delivery}, {@code job}, {@code agent}) are there by this
     * name, a queue's or a state's, the oldest of them for so many seconds; only what is not done yet is counted.
     */
    public record UnfinishedWork(String kind, String name, long count, double oldestSeconds) {}

    public List<UnfinishedWork> count() {
        return database.query("select kind, name, count, coalesce(\"oldestSeconds\", 0) from farm.counts()", rows -> {
            List<UnfinishedWork> counts = new ArrayList<>();
            while (rows.next()) {
                counts.add(new UnfinishedWork(rows.getString(1), rows.getString(2), rows.getLong(3), rows.getDouble(4)));
            }
            return counts;
        });
    }
}
