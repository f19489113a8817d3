package farm.gantry.api.monitoring;

import farm.gantry.api.database.Database;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/** Counts unfinished work over all stores. */
@Singleton
public final class UnfinishedWorkRows {
    private final Database database;

    UnfinishedWorkRows(Database database) {
        this.database = database;
    }

    /**
     * Unfinished work of one kind and name.
     *
     * @param kind {@code outbox}, {@code queue}, {@code delivery}, {@code job} or {@code agent}
     * @param name name of the queue or state
     * @param oldestSeconds age of the oldest, in seconds
     */
    public record UnfinishedWork(String kind, String name, long count, double oldestSeconds) {}

    public List<UnfinishedWork> count() {
        return database.query("select kind, name, count, coalesce(\"oldestSeconds\", 0) from farm.counts()", rows -> {
            List<UnfinishedWork> counts = new ArrayList<>();
            while (rows.next()) {
                counts.add(
                        new UnfinishedWork(rows.getString(1), rows.getString(2), rows.getLong(3), rows.getDouble(4)));
            }
            return counts;
        });
    }
}
