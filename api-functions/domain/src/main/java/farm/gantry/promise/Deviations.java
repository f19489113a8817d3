package farm.gantry.promise;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far estimates were off: of a printer model with a process profile, else of the model, else of the store, each as far as
 * its prints tell. {@code failureRate} is the share of prints that fail. Extra seconds are those that a print occupies its printer
 * beyond the time that the printer counts, as heating and pauses do where it leaves them out.
 */
public final class Deviations {
    private final Map<Key, Deviation> learned = new HashMap<>();
    private final Deviation ofStore;
    private final double failureRate;
    private final Map<String, ExtraTime> extra;

    /** A model of printers and the process profile that files are made with; null where they are unknown. */
    public record Key(@Nullable String modelName, @Nullable String profile) {}

    /** Seconds that prints of a model took beyond the time that their printers counted: their number and sum. */
    public record ExtraTime(long count, double seconds) {
        /** The weight of the prior without extra time, as a number of prints. */
        private static final double WEIGHT = 8;

        double mean() {
            return seconds / (count + WEIGHT);
        }
    }

    public Deviations(Map<Key, Deviation.Observed> prints, double failureRate) {
        this(prints, Map.of(), failureRate);
    }

    /** {@code extra} is what each printer model's prints took beyond the time that their printers counted. */
    public Deviations(Map<Key, Deviation.Observed> prints, Map<String, ExtraTime> extra, double failureRate) {
        this.failureRate = failureRate;
        this.extra = Map.copyOf(extra);
        Map<Key, Deviation.Observed> ofModels = new HashMap<>();
        prints.forEach(
                (key, observed) -> ofModels.merge(new Key(key.modelName(), null), observed, Deviation.Observed::and));
        this.ofStore = ofModels.values().stream()
                .reduce(Deviation.Observed::and)
                .map(Deviation.UNKNOWN::after)
                .orElse(Deviation.UNKNOWN);
        ofModels.forEach((key, observed) -> learned.put(key, ofStore.after(observed)));
        prints.forEach((key, observed) -> {
            if (key.profile() != null) {
                learned.put(key, ofModel(key.modelName()).after(observed));
            }
        });
    }

    public double failureRate() {
        return failureRate;
    }

    /** Returns the seconds that a print occupies a printer of the model beyond the time that the printer counts. */
    double extraSeconds(@Nullable String modelName) {
        ExtraTime known = modelName == null ? null : extra.get(modelName);
        return known == null ? 0 : known.mean();
    }

    Deviation of(@Nullable String modelName, @Nullable String profile) {
        Deviation known = learned.get(new Key(modelName, profile));
        return known == null ? ofModel(modelName) : known;
    }

    private Deviation ofModel(@Nullable String modelName) {
        return learned.getOrDefault(new Key(modelName, null), ofStore);
    }
}
