package farm.gantry.api.promise;

import farm.gantry.StoreId;
import farm.gantry.api.database.Tx;
import farm.gantry.promise.EstimateErrors;
import farm.gantry.promise.WorkPattern;
import farm.gantry.store.StoreSettings;
import farm.gantry.store.WorkingHours;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Learns estimate errors and work patterns from the last months of a store's prints. It learns again after a print has ended, a bed was
 * cleared or the settings have changed.
 */
@Singleton
final class FarmLearner {
    private static final Duration LEARNED_FROM = Duration.ofDays(90);
    private static final Duration MAX_AGE = Duration.ofMinutes(10);

    /** The maximum share of the time that learning may take. */
    private static final int SHARE = 20;

    private final LearningRows rows;
    private final Map<StoreId, CachedLessons> learned = new ConcurrentHashMap<>();

    /** The learned estimate errors and work pattern. */
    record Lessons(EstimateErrors deviations, WorkPattern work) {}

    private record WorkSettings(WorkingHours hours, ZoneId zone) {}

    /**
     * Cached lessons, the version of the farm and the settings that they were learned from, the earliest time to learn again, and the time
     * until which they are used.
     */
    private record CachedLessons(Lessons lessons, String version, WorkSettings settings, Instant rest, Instant until) {
        boolean isCurrent(WorkSettings used, Instant now) {
            return settings.equals(used) && now.isBefore(until);
        }
    }

    FarmLearner(LearningRows rows) {
        this.rows = rows;
    }

    Lessons lessons(Tx tx, StoreSettings store, Instant now) {
        WorkSettings settings = settings(store);
        CachedLessons known = learned.get(tx.store());
        if (known != null && known.isCurrent(settings, now) && now.isBefore(known.rest())) {
            return known.lessons();
        }
        String version = rows.version(tx);
        if (known == null || !known.isCurrent(settings, now) || !known.version().equals(version)) {
            known = learn(tx, settings, version, now);
            learned.put(tx.store(), known);
        }
        return known.lessons();
    }

    /** Returns the last lessons with the store's settings, however old, and learns only where there are none. */
    Lessons last(Tx tx, StoreSettings store, Instant now) {
        CachedLessons known = learned.get(tx.store());
        return known != null && known.settings().equals(settings(store)) ? known.lessons() : lessons(tx, store, now);
    }

    private static WorkSettings settings(StoreSettings store) {
        return new WorkSettings(
                Objects.requireNonNullElse(store.workingHours(), WorkingHours.ALWAYS), ZoneId.of(store.timezone()));
    }

    private CachedLessons learn(Tx tx, WorkSettings settings, String version, Instant now) {
        long begun = System.nanoTime();
        Lessons lessons = new Lessons(
                rows.deviations(tx, LEARNED_FROM),
                WorkPattern.learn(settings.hours(), settings.zone(), now, rows.confirmations(tx, LEARNED_FROM)));
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        return new CachedLessons(lessons, version, settings, now.plus(took.multipliedBy(SHARE)), now.plus(MAX_AGE));
    }
}
