package farm.gantry.api.material;

import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.store.FilamentRows;
import farm.gantry.api.store.Tx;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Spools and printers' slots, which say anew what they hold when that is called something else. */
@Singleton
final class LoadedFilaments {
    private final FilamentRows rows;
    private final Scheduler scheduler;

    LoadedFilaments(FilamentRows rows, Scheduler scheduler) {
        this.rows = rows;
        this.scheduler = scheduler;
    }

    /** Has them follow a change of records; {@code meant} is what of a record they say. */
    <R> void follow(
            Tx tx, List<R> before, List<R> after, Function<R, ? extends List<? extends @Nullable Object>> meant) {
        boolean isNews = !before.isEmpty()
                && !after.isEmpty()
                && !meanings(before, meant).equals(meanings(after, meant));
        if (isNews && rows.follow(tx)) {
            tx.afterCommit(() -> scheduler.trigger(tx.store()));
        }
    }

    private static <R> Set<?> meanings(List<R> records, Function<R, ? extends List<? extends @Nullable Object>> meant) {
        return records.stream().map(meant).collect(Collectors.toSet());
    }
}
