package farm.gantry.api.sku;

import farm.gantry.api.database.Tx;
import farm.gantry.sku.SkuMatch;
import farm.gantry.sku.SkuParser;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Resolves the SKU texts of marketplaces to SKUs and options. */
@Singleton
public final class SkuResolver {
    private final SkuOptionRows options;

    SkuResolver(SkuOptionRows options) {
        this.options = options;
    }

    /**
     * Maps each text to its meaning in the store with two statements for any number of texts: one finds the SKUs of exactly
     * those texts, one the parts that the others are composed of.
     */
    public Map<String, SkuMatch> resolve(Tx tx, Collection<String> texts) {
        Map<String, SkuMatch> found = new HashMap<>();
        options.findExact(tx, texts).forEach((text, id) -> found.put(text, new SkuMatch.Resolved(id, List.of())));
        Set<String> others = new HashSet<>(texts);
        others.removeAll(found.keySet());
        if (!others.isEmpty()) {
            SkuParser parser = new SkuParser(options.findByPrefix(tx, others));
            others.forEach(text -> found.put(text, parser.parse(text)));
        }
        return found;
    }
}
