package farm.gantry.api.builds;

import farm.gantry.Field;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.query.Condition.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.builds.SkuOptionCatalog;
import farm.gantry.sku.SkuOption;
import farm.gantry.sku.SkuOptionBinding;
import farm.gantry.sku.SkuOptionProperty;
import farm.gantry.sku.SkuOptionPropertyValue;
import farm.gantry.sku.SkuOptionValue;
import farm.gantry.sku.SkuOptionValueFilter;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Loads the options that SKUs are sold with, with one query per type for any number of SKUs. */
@Singleton
final class SkuOptionLoader {
    private final Table<SkuOption> options;
    private final Table<SkuOptionValue> values;
    private final Table<SkuOptionBinding> bindings;
    private final Table<SkuOptionValueFilter> filters;
    private final Table<SkuOptionProperty> properties;
    private final Table<SkuOptionPropertyValue> propertyValues;

    SkuOptionLoader(Tables tables) {
        this.options = tables.of(SkuOption.class);
        this.values = tables.of(SkuOptionValue.class);
        this.bindings = tables.of(SkuOptionBinding.class);
        this.filters = tables.of(SkuOptionValueFilter.class);
        this.properties = tables.of(SkuOptionProperty.class);
        this.propertyValues = tables.of(SkuOptionPropertyValue.class);
    }

    /** Returns the options by SKU id, with the property values for the chosen option values. SKUs without options are left out. */
    Map<String, SkuOptionCatalog> load(Tx tx, Set<String> skuIds, Set<String> chosen) {
        List<SkuOptionBinding> bound = bindings.find(tx, SkuOptionBinding::skuId, skuIds);
        List<String> bindingIds = bound.stream().map(SkuOptionBinding::id).toList();
        Map<String, SkuOption> found = options.findAll(
                tx, bound.stream().map(SkuOptionBinding::optionId).collect(Collectors.toSet()));
        Map<String, List<SkuOptionValue>> ofOptions = values.find(tx, SkuOptionValue::optionId, found.keySet()).stream()
                .collect(Collectors.groupingBy(SkuOptionValue::optionId));
        Map<String, Set<String>> filtered = filters.find(tx, SkuOptionValueFilter::bindingId, bindingIds).stream()
                .collect(Collectors.groupingBy(
                        SkuOptionValueFilter::bindingId,
                        Collectors.mapping(SkuOptionValueFilter::optionValueId, Collectors.toSet())));
        List<SkuOptionProperty> following = properties.find(tx, SkuOptionProperty::bindingId, bindingIds);
        List<SkuOptionPropertyValue> values = following.isEmpty() || chosen.isEmpty()
                ? List.of()
                : propertyValues.find(
                        tx,
                        ListQuery.all(propertyValues.columns())
                                .where(anyOf(
                                        SkuOptionPropertyValue::propertyId,
                                        following.stream().map(SkuOptionProperty::id)))
                                .where(anyOf(SkuOptionPropertyValue::optionValueId, chosen.stream())));
        Map<String, SkuOptionCatalog> bySku = new HashMap<>();
        bound.stream().collect(Collectors.groupingBy(SkuOptionBinding::skuId)).forEach((sku, ofSku) -> {
            Set<String> ids = ofSku.stream().map(SkuOptionBinding::id).collect(Collectors.toSet());
            bySku.put(
                    sku,
                    new SkuOptionCatalog(
                            ofSku.stream()
                                    .map(binding -> new SkuOptionCatalog.OfferedOption(
                                            binding.id(),
                                            Objects.requireNonNull(found.get(binding.optionId())),
                                            offeredValues(
                                                    binding,
                                                    ofOptions.getOrDefault(binding.optionId(), List.of()),
                                                    filtered.getOrDefault(binding.id(), Set.of()))))
                                    .toList(),
                            following.stream()
                                    .filter(property -> ids.contains(property.bindingId()))
                                    .toList(),
                            values));
        });
        return bySku;
    }

    private Filter anyOf(Field<SkuOptionPropertyValue> field, Stream<String> ids) {
        return Filter.of(propertyValues.columns().get(field), Operator.in, ids.toArray(String[]::new));
    }

    private static List<SkuOptionValue> offeredValues(
            SkuOptionBinding binding, List<SkuOptionValue> values, Collection<String> filtered) {
        return values.stream()
                .filter(value -> binding.isSold(filtered.contains(value.id())))
                .toList();
    }
}
