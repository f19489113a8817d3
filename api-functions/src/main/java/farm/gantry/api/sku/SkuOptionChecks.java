package farm.gantry.api.sku;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.material.MaterialReferenceChecks;
import farm.gantry.api.query.ListQuery;
import farm.gantry.material.Assignment;
import farm.gantry.sku.SkuOption;
import farm.gantry.sku.SkuOptionBinding;
import farm.gantry.sku.SkuOptionProperty;
import farm.gantry.sku.SkuOptionPropertyValue;
import farm.gantry.sku.SkuOptionValue;
import farm.gantry.sku.SkuOptionValueFilter;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Consistency checks between the records of SKU options. Missing records are left to the check of references; the values
 * compared here never change after creation.
 */
@Singleton
final class SkuOptionChecks {
    /** The maximum number of options of a SKU: suffixes are tried for each subset of them. */
    private static final int MAX_OPTIONS = 8;

    private static final List<String> NUMBERS = List.of("", "2", "3");

    private final Table<SkuOption> options;
    private final Table<SkuOptionValue> values;
    private final Table<SkuOptionBinding> bindings;
    private final Table<SkuOptionProperty> properties;
    private final MaterialReferenceChecks materials;

    SkuOptionChecks(Tables tables, MaterialReferenceChecks materials) {
        this.options = tables.of(SkuOption.class);
        this.values = tables.of(SkuOptionValue.class);
        this.bindings = tables.of(SkuOptionBinding.class);
        this.properties = tables.of(SkuOptionProperty.class);
        this.materials = materials;
    }

    /** The option of a value must have values. */
    SkuOptionValue checkOptionValue(Tx tx, SkuOptionValue value) {
        Faults faults = new Faults();
        if (isPersonalization(tx, value.optionId())) {
            faults.add("optionId", "invalid", "optionId: a personalization has no values but the buyer's own text");
        }
        faults.check();
        return value;
    }

    private boolean isPersonalization(Tx tx, String optionId) {
        return options.find(tx, optionId).filter(SkuOption::isPersonalization).isPresent();
    }

    SkuOptionBinding checkBinding(Tx tx, SkuOptionBinding binding) {
        Faults faults = new Faults();
        long others =
                bindings.find(tx, ListQuery.of(bindings.columns(), Map.of("skuId", List.of(binding.skuId())))).stream()
                        .filter(other -> !other.id().equals(binding.id()))
                        .count();
        if (others >= MAX_OPTIONS) {
            faults.add("skuId", "range", "skuId: a SKU is sold with " + MAX_OPTIONS + " options at most");
        }
        faults.check();
        return binding;
    }

    SkuOptionValueFilter checkFilter(Tx tx, SkuOptionValueFilter filter) {
        Faults faults = new Faults();
        Optional<SkuOptionBinding> binding = bindings.find(tx, filter.bindingId());
        checkSame(faults, "skuId", filter.skuId(), binding.map(SkuOptionBinding::skuId));
        checkSame(faults, "optionId", filter.optionId(), binding.map(SkuOptionBinding::optionId));
        checkValue(tx, faults, "optionValueId", filter.optionValueId(), filter.optionId());
        faults.check();
        return filter;
    }

    private static void checkSame(Faults faults, String path, String given, Optional<String> ofBinding) {
        if (ofBinding.isPresent() && !ofBinding.get().equals(given)) {
            faults.add(path, "invalid", path + " must be that of the binding, " + ofBinding.get());
        }
    }

    private void checkValue(Tx tx, Faults faults, String path, String valueId, String optionId) {
        if (values.find(tx, valueId)
                .filter(value -> !value.optionId().equals(optionId))
                .isPresent()) {
            faults.add(path, "invalid", path + " must be a value of the option " + optionId);
        }
    }

    /** The bindings must be distinct and of one SKU; a personalization has a single binding and a text property. */
    SkuOptionProperty checkProperty(Tx tx, SkuOptionProperty property) {
        Faults faults = new Faults();
        List<SkuOptionBinding> bound = loadBindings(tx, property);
        if (property.bindingId2() == null && property.bindingId3() != null) {
            faults.add("bindingId2", "required", "bindingId2 is required where there is a bindingId3");
        }
        if (bound.size() == property.bindingIds().size()) {
            checkSame(
                    faults,
                    "optionId",
                    property.optionId(),
                    Optional.of(bound.getFirst().optionId()));
            for (int i = 1; i < bound.size(); i++) {
                SkuOptionBinding binding = bound.get(i);
                if (!binding.skuId().equals(bound.getFirst().skuId()) || bound.indexOf(binding) < i) {
                    String path = "bindingId" + NUMBERS.get(i);
                    faults.add(path, "invalid", path + " must be another binding of the same SKU");
                }
            }
        }
        boolean isText = property.type() == SkuOptionProperty.Type.text;
        if ((!isText || bound.size() > 1)
                && bound.stream().anyMatch(binding -> isPersonalization(tx, binding.optionId()))) {
            faults.add("type", "invalid", "a personalization has properties of type text, each of it alone");
        }
        faults.check();
        return property;
    }

    private List<SkuOptionBinding> loadBindings(Tx tx, SkuOptionProperty property) {
        return property.bindingIds().stream()
                .map(id -> bindings.find(tx, id))
                .flatMap(Optional::stream)
                .toList();
    }

    /** There must be a value for each option of the property, and exactly the field of the property's type. */
    SkuOptionPropertyValue checkPropertyValue(Tx tx, SkuOptionPropertyValue value) {
        Faults faults = new Faults();
        properties.find(tx, value.propertyId()).ifPresent(property -> {
            checkChoice(tx, faults, property, value);
            checkType(faults, property.type(), value);
        });
        if (value.materialValue() != null) {
            Map<String, Assignment> places = new LinkedHashMap<>();
            value.materialValue().forEach(choice -> places.put("materialValue[" + places.size() + "]", choice));
            materials.checkEach(tx, faults, places);
        }
        faults.check();
        return value;
    }

    private void checkChoice(Tx tx, Faults faults, SkuOptionProperty property, SkuOptionPropertyValue value) {
        List<SkuOptionBinding> bound = loadBindings(tx, property);
        if (isPersonalization(tx, property.optionId())) {
            faults.add("propertyId", "invalid", "propertyId: a personalization's property is the buyer's text");
            return;
        }
        List<@Nullable String> given =
                Arrays.asList(value.optionValueId(), value.optionValueId2(), value.optionValueId3());
        for (int i = 0; i < NUMBERS.size(); i++) {
            String path = "optionValueId" + NUMBERS.get(i);
            String id = given.get(i);
            if (i >= bound.size() && id != null) {
                faults.add(path, "invalid", path + ": the property follows from fewer options");
            } else if (i < bound.size() && id == null) {
                faults.add(path, "required", path + " is required: the property follows from that option too");
            } else if (id != null) {
                checkValue(tx, faults, path, id, bound.get(i).optionId());
            }
        }
    }

    private static void checkType(Faults faults, SkuOptionProperty.Type type, SkuOptionPropertyValue value) {
        Map<SkuOptionProperty.Type, String> names = Map.of(
                SkuOptionProperty.Type.text, "textValue",
                SkuOptionProperty.Type.material, "materialValue",
                SkuOptionProperty.Type.plate_quantities, "plateQuantitiesValue");
        for (SkuOptionProperty.Type each : SkuOptionProperty.Type.values()) {
            Object given = switch (each) {
                case text -> value.textValue();
                case material -> value.materialValue();
                case plate_quantities -> value.plateQuantitiesValue();
            };
            String path = Objects.requireNonNull(names.get(each));
            if (each == type && given == null) {
                faults.add(path, "required", path + " is required: the property is of type " + type);
            } else if (each != type && given != null) {
                faults.add(path, "invalid", path + " must be null: the property is of type " + type);
            }
        }
    }
}
