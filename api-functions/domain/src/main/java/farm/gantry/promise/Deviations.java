package farm.gantry.promise;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far estimates were off: of a printer model with a process profile, else of the model, else of the store, each as far as
 * its prints tell. {@code failureRate} is the share of prints that fail.
 */
public final class Deviations {
    private final Map<Key, Deviation> learned = new HashMap<>();
    private final Deviation ofStore;
    private final double failureRate;

    /** A model of printers and the process profile that files are made with; null where they are unknown. */
    public record Key(@Nullable String modelName, @Nullable String profile) {}

    public Deviations(Map<Key, Deviation.Observed> prints, double failureRate) {
        this.failureRate = failureRate;
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

    Deviation of(@Nullable String modelName, @Nullable String profile) {
        Deviation known = learned.get(new Key(modelName, profile));
        return known == null ? ofModel(modelName) : known;
    }

    private Deviation ofModel(@Nullable String modelName) {
        return learned.getOrDefault(new Key(modelName, null), ofStore);
    }
}
