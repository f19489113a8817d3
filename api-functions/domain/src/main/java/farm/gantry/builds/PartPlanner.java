package farm.gantry.builds;

import farm.gantry.material.Assignment;
import farm.gantry.part.Part;
import farm.gantry.part.PartParameter;
import farm.gantry.sequence.Sequence;
import farm.gantry.sku.LinkedPart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plans the copies of a part by its options. A fault in what the SKU itself defines is reported at the path of the option that
 * can override it.
 */
public final class PartPlanner {
    private PartPlanner() {}

    /** Plans copies of a part on its own; {@code chosen} are the materials of the part's filaments. */
    public static PartPlan planPart(
            Part part, PartOptions options, Map<String, List<Assignment>> chosen, ParameterValueCheck check, FaultSink faults) {
        ParameterValues values = new ParameterValues(part.parameters());
        values.setDefaults(options.path() + ".parameters.");
        Objects.requireNonNullElse(options.parameters(), Map.<String, Object>of())
                .forEach((name, value) -> values.set(name, value, options.path() + ".parameters." + name));
        PlateOptions plates = PlateOptions.NONE.withQuantities(options.plateQuantities());
        return new PartPlan(
                part,
                null,
                Objects.requireNonNullElse(options.quantity(), 1),
                0,
                options.label(),
                part.printTags().overriddenBy(options.tags()),
                plateQuantities(plates),
                MaterialChoices.merge(
                        part,
                        Objects.requireNonNullElse(options.materials(), Map.of()),
                        chosen,
                        options.path() + ".materials",
                        faults),
                values.validated(check, faults),
                List.of(),
                PlatePlanner.plan(part, plates, options.path() + ".plateQuantities", faults));
    }

    /** Plans the copies of a part for a number of SKUs; {@code sequences} are those its bindings name. */
    public static PartPlan planLinkedPart(
            Part part,
            LinkedPart linkedPart,
            SkuBuildOptions skuOptions,
            PartOptions options,
            Map<String, List<Assignment>> chosen,
            Map<String, Sequence> sequences,
            ParameterValueCheck check,
            FaultSink faults) {
        int ofInstance = Objects.requireNonNullElse(options.quantity(), linkedPart.quantity());
        ParameterValues values = new ParameterValues(part.parameters());
        List<SerialBinding> serials = setValues(values, linkedPart, skuOptions, options, sequences, faults);
        PlateOptions plates = plateOptions(part, linkedPart, skuOptions, options, faults);
        return new PartPlan(
                part,
                linkedPart,
                skuOptions.quantity() * ofInstance,
                ofInstance,
                options.label() == null ? linkedPart.label() : options.label(),
                part.printTags().overriddenBy(skuOptions.tags()).overriddenBy(options.tags()),
                plateQuantities(plates),
                MaterialChoices.merge(
                        part,
                        materials(part, linkedPart, skuOptions, options, faults),
                        chosen,
                        options.path() + ".materials",
                        faults),
                values.validated(check, faults),
                serials,
                PlatePlanner.plan(part, plates, options.path() + ".plateQuantities", faults));
    }

    /** Gives the parameters their values, later ones over earlier: the SKU's own, its inputs, the options. */
    private static List<SerialBinding> setValues(
            ParameterValues values,
            LinkedPart linkedPart,
            SkuBuildOptions skuOptions,
            PartOptions options,
            Map<String, Sequence> sequences,
            FaultSink faults) {
        String path = options.path() + ".parameters.";
        values.setDefaults(path);
        linkedPart.parameters().stream()
                .filter(fixed -> fixed.value() != null)
                .forEach(fixed -> values.set(fixed.name(), fixed.value(), path + fixed.name()));
        linkedPart.bindings().forEach((name, input) -> {
            if (skuOptions.inputs().containsKey(input)) {
                values.set(name, skuOptions.inputs().get(input), skuOptions.path() + ".parameters." + input);
            } else if (skuOptions.properties().get(input) instanceof PropertyValue.Text(String text)) {
                values.setText(name, text, path + name);
            }
        });
        Map<String, Object> own = Objects.requireNonNullElse(options.parameters(), Map.of());
        own.forEach((name, value) -> {
            if (linkedPart.exposedParameters().contains(name)) {
                values.set(name, value, path + name);
            } else {
                faults.add(
                        path + name,
                        "not_exposed",
                        path + name + ": the SKU does not let parameter " + name + " be set");
            }
        });
        List<SerialBinding> serials = new ArrayList<>();
        Map<String, String> sequenceBindings =
                Objects.requireNonNullElse(linkedPart.sequenceBindings(), Map.<String, String>of());
        sequenceBindings.forEach((name, binding) -> {
            if (!own.containsKey(name)) {
                values.remove(name);
                serialBinding(values, name, sequences.get(binding), path + name, faults)
                        .ifPresent(serials::add);
            }
        });
        return serials;
    }

    private static Optional<SerialBinding> serialBinding(
            ParameterValues values, String name, @Nullable Sequence sequence, String path, FaultSink faults) {
        Optional<PartParameter> parameter = values.parameter(name);
        if (parameter.isEmpty()) {
            faults.add(path, "unknown", path + ": the part has no parameter " + name);
        } else if (sequence == null) {
            faults.add(
                    path, "not_found", path + " is bound to a sequence, but not to one that is there and the only one");
        } else {
            boolean perCopy = parameter.get().serialReuse() == PartParameter.SerialReuse.increment;
            return switch (parameter.get().type()) {
                case string -> Optional.of(new SerialBinding(name, sequence.id(), perCopy, false));
                case number -> Optional.of(new SerialBinding(name, sequence.id(), perCopy, true));
                case FLAG, file -> {
                    faults.add(path, "type", path + ": only texts and numbers can be bound to a sequence");
                    yield Optional.empty();
                }
            };
        }
        return Optional.empty();
    }

    private static PlateOptions plateOptions(
            Part part, LinkedPart linkedPart, SkuBuildOptions skuOptions, PartOptions options, FaultSink faults) {
        PlateOptions plates = PlateOptions.of(linkedPart.extensions());
        String binding = linkedPart.plateQuantitiesBinding();
        if (options.plateQuantities() != null || binding == null) {
            return plates.withQuantities(options.plateQuantities());
        }
        Object input = skuOptions.inputs().get(binding);
        if (input == null) {
            return skuOptions.properties().get(binding)
                            instanceof PropertyValue.PlateQuantities(Map<String, Integer> quantities)
                    ? plates.withQuantities(quantities)
                    : plates;
        }
        return plates.withBoundInput(input, PlatePlanner.plateIds(part), skuOptions.path() + ".parameters." + binding, faults);
    }

    private static @Nullable Map<String, Integer> plateQuantities(PlateOptions plates) {
        return plates.quantities().isEmpty() ? null : plates.quantities();
    }

    /**
     * Returns the materials that each filament of a linked part may be. The options come before the buyer's choice, and that before
     * the linked part.
     */
    public static Map<String, List<Assignment>> materials(
            Part part, LinkedPart linkedPart, SkuBuildOptions skuOptions, PartOptions options, FaultSink faults) {
        Map<String, List<Assignment>> byName = new HashMap<>();
        Map<String, List<Assignment>> byIndex = new HashMap<>();
        linkedPart.bindings().forEach((name, property) -> {
            if (skuOptions.properties().get(property) instanceof PropertyValue.Material(List<Assignment> choices)) {
                Map<String, List<Assignment>> target = LinkedPart.filamentIndex(name).isPresent() ? byIndex : byName;
                filamentIndex(part, name)
                        .ifPresentOrElse(
                                index -> {
                                    List<Assignment> other = target.put(index, choices);
                                    if (other != null && !other.equals(choices)) {
                                        faults.add(
                                                options.path() + ".materials." + index,
                                                "ambiguous",
                                                options.path() + ".materials." + index
                                                        + ": the linked part binds several materials to this filament."
                                                        + " Remove all but one of these bindings");
                                    }
                                },
                                () -> faults.add(
                                        options.path() + ".materials",
                                        "ambiguous",
                                        options.path()
                                                + ".materials: the part has several filaments. Change the binding "
                                                + name + " of its linked part to one of them, as materials.0"));
            }
        });
        Map<String, List<Assignment>> chosen =
                new HashMap<>(Objects.requireNonNullElse(linkedPart.materialAssignments(), Map.of()));
        chosen.putAll(byName);
        chosen.putAll(byIndex);
        chosen.putAll(Objects.requireNonNullElse(options.materials(), Map.of()));
        return chosen;
    }

    /**
     * Returns the index of the filament that takes a material bound under this name: the index in the name, or with any other name
     * the part's only filament. Empty if the name has no index and the part has several filaments.
     */
    public static Optional<String> filamentIndex(Part part, String name) {
        return LinkedPart.filamentIndex(name).or(() -> MaterialChoices.onlyFilament(part));
    }
}
