package farm.gantry.promise;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The errors of print time estimates, learned at five levels: store, provider, model, process profile and printer. Each level starts from
 * the wider one and departs from it as its prints accumulate. {@code failureRate} is the share of prints that fail. Extra seconds are the
 * time that a print occupies its printer beyond printing and pauses, such as heating.
 */
public final class EstimateErrors {
    /** The seconds that a macro is assumed to take to clear a bed. */
    private static final double MACRO_SECONDS = 120;

    private final Map<Key, EstimateError> learned = new HashMap<>();
    private final EstimateError ofStore;
    private final PrinterBiases printers;
    private final double failureRate;
    private final Map<Model, Double> extraSeconds = new HashMap<>();
    private final double extraSecondsOfStore;
    private final Map<String, ObservedTime> macros;
    private final double macroSecondsOfStore;
    private final Map<String, RemainingTimeAccuracy> remainders = new HashMap<>();

    /** A printer and the process profile of a print; null if unknown. */
    public record Source(
            @Nullable String provider,
            @Nullable String modelName,
            String printerId,
            @Nullable String profile) {}

    private record Key(
            @Nullable String provider,
            @Nullable String modelName,
            @Nullable String profile) {}

    /** A printer model of a provider; null if unknown. */
    public record Model(@Nullable String provider, @Nullable String modelName) {}

    /** A time that was observed at prints: the number of prints and the sum in seconds. */
    public record ObservedTime(long count, double seconds) {
        /** The weight of the prior, as a number of prints. */
        private static final double WEIGHT = 8;

        ObservedTime plus(ObservedTime other) {
            return new ObservedTime(count + other.count, seconds + other.seconds);
        }

        double mean(double prior) {
            return mean(prior, WEIGHT);
        }

        double mean(double prior, double weight) {
            return (weight * prior + seconds) / (count + weight);
        }

        static double meanOfAll(Map<?, ObservedTime> times, double prior) {
            return times.values().stream()
                    .reduce(ObservedTime::plus)
                    .map(all -> all.mean(prior))
                    .orElse(prior);
        }
    }

    public EstimateErrors(Map<Source, EstimateError.Statistics> prints, double failureRate) {
        this(prints, Map.of(), Map.of(), Map.of(), failureRate);
    }

    /**
     * Creates the errors. {@code extra} is the extra time by printer model, {@code remainders} the accuracy of reported remaining times by
     * provider, {@code macros} the time from the end of a print until a macro had cleared the bed, by printer id.
     */
    public EstimateErrors(
            Map<Source, EstimateError.Statistics> prints,
            Map<Model, ObservedTime> extra,
            Map<String, RemainingTimeAccuracy.Statistics> remainders,
            Map<String, ObservedTime> macros,
            double failureRate) {
        this.failureRate = failureRate;
        this.extraSecondsOfStore = ObservedTime.meanOfAll(extra, 0);
        this.macros = Map.copyOf(macros);
        this.macroSecondsOfStore = ObservedTime.meanOfAll(macros, MACRO_SECONDS);
        learnExtraTime(extra);
        remainders.forEach(
                (provider, observed) -> this.remainders.put(provider, RemainingTimeAccuracy.learn(observed)));
        this.ofStore = prints.values().stream()
                .reduce(EstimateError.Statistics::plus)
                .map(EstimateError.UNKNOWN::updatedBy)
                .orElse(EstimateError.UNKNOWN);
        learn(prints, source -> new Key(source.provider(), null, null));
        learn(prints, source -> new Key(source.provider(), source.modelName(), null));
        learn(prints, source -> new Key(source.provider(), source.modelName(), source.profile()));
        Map<String, EstimateError.Statistics> differences = new HashMap<>();
        prints.forEach((source, observed) -> differences.merge(
                source.printerId(), observed.relativeTo(ofModel(source).mean()), EstimateError.Statistics::plus));
        this.printers = new PrinterBiases(differences);
    }

    /** Learns the extra time of providers, with that of the store as the prior, and then of models, with that of their provider. */
    private void learnExtraTime(Map<Model, ObservedTime> extra) {
        Map<Model, ObservedTime> ofProviders = new HashMap<>();
        extra.forEach((model, time) -> ofProviders.merge(new Model(model.provider(), null), time, ObservedTime::plus));
        ofProviders.forEach((provider, time) -> extraSeconds.put(provider, time.mean(extraSecondsOfStore)));
        extra.forEach((model, time) -> {
            if (model.modelName() != null) {
                extraSeconds.put(model, time.mean(extraSeconds(model)));
            }
        });
    }

    private interface Level {
        Key of(Source source);
    }

    /** Learns one level, with the next wider level as the prior. */
    private void learn(Map<Source, EstimateError.Statistics> prints, Level level) {
        Map<Key, EstimateError.Statistics> observed = new HashMap<>();
        prints.forEach((source, of) -> observed.merge(level.of(source), of, EstimateError.Statistics::plus));
        Map<Key, EstimateError> posterior = new HashMap<>();
        observed.forEach((key, of) -> {
            if (!learned.containsKey(key)) {
                posterior.put(key, of(key).updatedBy(of));
            }
        });
        learned.putAll(posterior);
    }

    public double failureRate() {
        return failureRate;
    }

    /**
     * Returns the seconds that a print occupies a printer of the model beyond printing and pauses: those of the model, else of its provider,
     * else of the store.
     */
    double extraSeconds(Model model) {
        Double known = extraSeconds.get(model);
        return known != null
                ? known
                : extraSeconds.getOrDefault(new Model(model.provider(), null), extraSecondsOfStore);
    }

    /** Returns the seconds from the end of a print until the printer's macro has cleared its bed, which differ little from print to print. */
    double macroSeconds(String printerId) {
        ObservedTime known = macros.get(printerId);
        return known == null ? macroSecondsOfStore : known.mean(macroSecondsOfStore, 1);
    }

    /** Returns the accuracy of the remaining times that printers of the provider report. */
    RemainingTimeAccuracy remainingTimeAccuracy(@Nullable String provider) {
        return provider == null
                ? RemainingTimeAccuracy.UNKNOWN
                : remainders.getOrDefault(provider, RemainingTimeAccuracy.UNKNOWN);
    }

    EstimateError of(Source source) {
        return printers.of(source.printerId(), ofModel(source));
    }

    private EstimateError ofModel(Source source) {
        return of(new Key(source.provider(), source.modelName(), source.profile()));
    }

    /** Returns the estimate error of the profile, else of the model, else of the provider, else of the store. */
    private EstimateError of(Key key) {
        EstimateError known = learned.get(key);
        if (known == null && key.profile() != null) {
            known = learned.get(new Key(key.provider(), key.modelName(), null));
        }
        return known != null ? known : learned.getOrDefault(new Key(key.provider(), null, null), ofStore);
    }
}
