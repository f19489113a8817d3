package farm.gantry.api.sku;

import farm.gantry.api.store.SkuOptionRows;
import farm.gantry.api.store.Tx;
import farm.gantry.sku.SkuMatch;
import farm.gantry.sku.SkuParser;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds what markets mean by their texts for items. */
@Singleton
public final class SkuResolver {
    private final SkuOptionRows options;

    SkuResolver(SkuOptionRows options) {
        this.options = options;
    }

    /** Text → what it means in the store; one statement, however many there are. */
    public Map<String, SkuMatch> resolve(Tx tx, Collection<String> texts) {
        SkuParser parser = new SkuParser(options.beginnings(tx, texts));
        return texts.stream().distinct().collect(Collectors.toUnmodifiableMap(Function.identity(), parser::parse));
    }
}
