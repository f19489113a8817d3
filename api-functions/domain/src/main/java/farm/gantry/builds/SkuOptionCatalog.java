package farm.gantry.builds;

import farm.gantry.sku.SkuOption;
import farm.gantry.sku.SkuOptionProperty;
import farm.gantry.sku.SkuOptionPropertyValue;
import farm.gantry.sku.SkuOptionValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The options that a SKU is sold with, and what follows from them. */
public record SkuOptionCatalog(
        List<OfferedOption> options, List<SkuOptionProperty> properties, List<SkuOptionPropertyValue> values) {

    public static final SkuOptionCatalog NONE = new SkuOptionCatalog(List.of(), List.of(), List.of());

    /** An option with those of its values that the SKU is sold with. */
    public record OfferedOption(String bindingId, SkuOption option, List<SkuOptionValue> values) {}

    /** The options that a buyer chose, and their path in the request. */
    public record Choice(
            String path,
            List<String> optionValueIds,
            @Nullable String personalization) {}

    /**
     * What the wanted properties are, by their ids. A choice that the SKU is not sold with, and one that leaves a property
     * open, is reported.
     */
    public Map<String, PropertyValue> resolveProperties(Choice choice, Collection<String> wanted, FaultSink faults) {
        Map<String, SkuOptionValue> chosen = chosenByBinding(choice, faults);
        Set<String> open = new HashSet<>();
        Map<String, PropertyValue> found = new HashMap<>();
        for (String id : new TreeSet<>(wanted)) {
            properties.stream()
                    .filter(property -> property.id().equals(id))
                    .findFirst()
                    .or(() -> {
                        String path = choice.path() + ".optionValueIds";
                        faults.add(
                                path, "not_found", path + ": the SKU has no property " + id + ", which it is bound to");
                        return Optional.empty();
                    })
                    .flatMap(property -> resolveProperty(property, choice, chosen, open, faults))
                    .ifPresent(value -> found.put(id, value));
        }
        return found;
    }

    private Map<String, SkuOptionValue> chosenByBinding(Choice choice, FaultSink faults) {
        Map<String, SkuOptionValue> chosen = new HashMap<>();
        for (int i = 0; i < choice.optionValueIds().size(); i++) {
            String id = choice.optionValueIds().get(i);
            String path = choice.path() + ".optionValueIds[" + i + "]";
            Optional<OfferedOption> sold = options.stream()
                    .filter(option -> option.values().stream()
                            .anyMatch(value -> value.id().equals(id)))
                    .findFirst();
            if (sold.isEmpty()) {
                faults.add(path, "unknown", path + ": the SKU is not sold with an option's value " + id);
            } else if (chosen.putIfAbsent(sold.get().bindingId(), findValue(sold.get(), id)) != null) {
                faults.add(path, "invalid", path + " is the second value of " + name(sold.get()));
            }
        }
        if (choice.personalization() != null
                && options.stream().noneMatch(each -> each.option().isPersonalization())) {
            String path = choice.path() + ".personalization";
            faults.add(path, "unknown", path + ": the SKU has no personalization");
        }
        return chosen;
    }

    private static SkuOptionValue findValue(OfferedOption option, String id) {
        return option.values().stream()
                .filter(value -> value.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static String name(OfferedOption option) {
        return "'" + option.option().name() + "'";
    }

    private Optional<PropertyValue> resolveProperty(
            SkuOptionProperty property,
            Choice choice,
            Map<String, SkuOptionValue> chosen,
            Set<String> open,
            FaultSink faults) {
        List<OfferedOption> followed = property.bindingIds().stream()
                .flatMap(id ->
                        options.stream().filter(option -> option.bindingId().equals(id)))
                .toList();
        if (followed.stream().anyMatch(option -> option.option().isPersonalization())) {
            return text(property, choice, open, faults);
        }
        String path = choice.path() + ".optionValueIds";
        List<SkuOptionValue> values = new ArrayList<>();
        for (OfferedOption option : followed) {
            SkuOptionValue value = chosen.get(option.bindingId());
            if (value != null) {
                values.add(value);
            } else if (open.add(option.bindingId())) {
                faults.add(path, "required", path + " must hold a value of " + name(option));
            }
        }
        if (values.size() < property.bindingIds().size()) {
            return Optional.empty();
        }
        List<String> ids = values.stream().map(SkuOptionValue::id).toList();
        Optional<SkuOptionPropertyValue> found = this.values.stream()
                .filter(value -> value.propertyId().equals(property.id()))
                .filter(value -> value.optionValueIds().equals(ids))
                .findFirst();
        if (found.isEmpty()) {
            String names = values.stream().map(SkuOptionValue::name).collect(Collectors.joining(", "));
            faults.add(path, "not_found", path + ": '" + property.name() + "' has no value for " + names);
        }
        return found.map(value -> findValue(property.type(), value));
    }

    private static Optional<PropertyValue> text(
            SkuOptionProperty property, Choice choice, Set<String> open, FaultSink faults) {
        if (choice.personalization() == null && open.add(property.bindingId())) {
            String path = choice.path() + ".personalization";
            faults.add(path, "required", path + " is required, and may be empty");
        }
        return Optional.ofNullable(choice.personalization()).map(PropertyValue.Text::new);
    }

    private static PropertyValue findValue(SkuOptionProperty.Type type, SkuOptionPropertyValue value) {
        return switch (type) {
            case text -> new PropertyValue.Text(Objects.requireNonNull(value.textValue()));
            case material -> new PropertyValue.Material(Objects.requireNonNull(value.materialValue()));
            case plate_quantities ->
                new PropertyValue.PlateQuantities(Objects.requireNonNull(value.plateQuantitiesValue()));
        };
    }
}
