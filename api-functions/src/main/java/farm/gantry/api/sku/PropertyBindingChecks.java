package farm.gantry.api.sku;

import farm.gantry.Id;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.builds.PartPlanner;
import farm.gantry.part.Part;
import farm.gantry.sku.LinkedPart;
import farm.gantry.sku.SkuOptionBinding;
import farm.gantry.sku.SkuOptionProperty;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks the properties that linked parts are bound to; the bindings are JSON, so no foreign key does. */
@Singleton
final class PropertyBindingChecks {
    private static final String FILAMENTS = "materials.";

    private final Table<SkuOptionBinding> bindings;
    private final Table<SkuOptionProperty> properties;
    private final Table<Part> parts;
    private final SkuOptionRows options;

    PropertyBindingChecks(Tables tables, SkuOptionRows options) {
        this.bindings = tables.of(SkuOptionBinding.class);
        this.properties = tables.of(SkuOptionProperty.class);
        this.parts = tables.of(Part.class);
        this.options = options;
    }

    /** Reports bindings to a property of another SKU or of the wrong type. */
    void check(Tx tx, Faults faults, LinkedPart linkedPart) {
        Map<String, SkuOptionProperty> found = properties.findAll(tx, linkedPart.boundProperties());
        Map<String, SkuOptionBinding> ofSkus = bindings.findAll(
                tx, found.values().stream().map(SkuOptionProperty::bindingId).toList());
        Optional<Part> part = parts.find(tx, linkedPart.partId());
        linkedPart.bindings().forEach((name, id) -> {
            boolean ofFilament =
                    name.startsWith(FILAMENTS) && LinkedPart.filamentIndex(name).isPresent();
            boolean mayBeFilament = LinkedPart.filamentIndex(name).isPresent()
                    || part.filter(target -> takesMaterial(target, name)).isPresent();
            String path = "parameterBindings." + name;
            if (ofFilament && !Id.isValid(id)) {
                faults.add(path, "unknown", path + " must be the id of a property");
            }
            check(
                    faults,
                    path,
                    id,
                    ofFilament || (mayBeFilament && isMaterial(found.get(id)))
                            ? SkuOptionProperty.Type.material
                            : SkuOptionProperty.Type.text,
                    linkedPart.skuId(),
                    found,
                    ofSkus);
        });
        if (linkedPart.plateQuantitiesBinding() != null) {
            check(
                    faults,
                    "plateQuantitiesBinding",
                    linkedPart.plateQuantitiesBinding(),
                    SkuOptionProperty.Type.plate_quantities,
                    linkedPart.skuId(),
                    found,
                    ofSkus);
        }
    }

    private static void check(
            Faults faults,
            String path,
            String id,
            SkuOptionProperty.Type type,
            @Nullable String skuId,
            Map<String, SkuOptionProperty> found,
            Map<String, SkuOptionBinding> ofSkus) {
        SkuOptionProperty property = found.get(id);
        SkuOptionBinding binding = property == null ? null : ofSkus.get(property.bindingId());
        if (!Id.isValid(id)) {
            return; // the name of an input
        }
        if (property == null || binding == null) {
            faults.add(path, "unknown", path + ": there is no property " + id);
        } else if (skuId != null && !binding.skuId().equals(skuId)) {
            faults.add(path, "invalid", path + ": the property is another SKU's");
        } else if (property.type() != type) {
            String remedy = isMaterial(property) ? ": bind a material to a filament, as materials.0" : "";
            faults.add(path, "type", path + " must be a property of type " + type + remedy);
        }
    }

    /** Whether a material that is bound under a name without an index has one filament to go to. */
    private static boolean takesMaterial(Part part, String name) {
        return PartPlanner.filamentIndex(part, name).isPresent()
                && part.parameters().stream()
                        .noneMatch(parameter -> parameter.name().equals(name));
    }

    private static boolean isMaterial(@Nullable SkuOptionProperty property) {
        return property != null && property.type() == SkuOptionProperty.Type.material;
    }

    /** Refuses the deletion of properties that linked parts are bound to. */
    void checkDeleted(Tx tx, List<SkuOptionProperty> before, List<SkuOptionProperty> after) {
        if (after.isEmpty()) {
            List<String> ids =
                    before.stream().map(SkuOptionProperty::bindingId).distinct().toList();
            checkOptionsUnused(
                    tx,
                    bindings.findAll(tx, ids).values().stream()
                            .map(SkuOptionBinding::skuId)
                            .toList());
        }
    }

    /** Checks deleted options, whose properties are deleted with them. */
    void checkOptionsUnused(Tx tx, Collection<String> skuIds) {
        List<String> needed = options.partsWithMissingProperty(tx, skuIds);
        if (!needed.isEmpty()) {
            throw ProblemException.stillReferenced(
                    needed.stream().map(id -> "linkedPart " + id).toList());
        }
    }
}
