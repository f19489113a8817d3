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
 * Works wishes out. What a SKU itself says wrongly of its part is said at the place where the wish may say otherwise.
 */
public final class Plans {
    private Plans() {}

    /** Of copies of a part alone; {@code chosen} is what the part's own filaments may be. */
    public static Plan ofPart(
            Part part, Wish wish, Map<String, List<Assignment>> chosen, ValueCheck check, Wrongs wrongs) {
        Overrides overrides = new Overrides(part.parameters());
        overrides.giveDefaults(wish.path() + ".parameters.");
        Objects.requireNonNullElse(wish.parameters(), Map.<String, Object>of())
                .forEach((name, value) -> overrides.give(name, value, wish.path() + ".parameters." + name));
        PlateWishes plates = PlateWishes.NONE.with(wish.plateQuantities());
        return new Plan(
                part,
                null,
                Objects.requireNonNullElse(wish.quantity(), 1),
                0,
                wish.label(),
                part.printTags().with(wish.tags()),
                quantities(plates),
                Choices.of(
                        part,
                        Objects.requireNonNullElse(wish.materials(), Map.of()),
                        chosen,
                        wish.path() + ".materials",
                        wrongs),
                overrides.checked(check, wrongs),
                List.of(),
                Sheets.of(part, plates, wish.path() + ".plateQuantities", wrongs));
    }

    /** Of the copies of a part that so many of a SKU take; {@code sequences} are those its bindings name. */
    public static Plan ofLinkedPart(
            Part part,
            LinkedPart linkedPart,
            SkuWish sku,
            Wish wish,
            Map<String, List<Assignment>> chosen,
            Map<String, Sequence> sequences,
            ValueCheck check,
            Wrongs wrongs) {
        int ofInstance = Objects.requireNonNullElse(wish.quantity(), linkedPart.quantity());
        Overrides overrides = new Overrides(part.parameters());
        List<Serial> serials = given(overrides, linkedPart, sku, wish, sequences, wrongs);
        PlateWishes plates = plates(part, linkedPart, sku, wish, wrongs);
        return new Plan(
                part,
                linkedPart,
                sku.quantity() * ofInstance,
                ofInstance,
                wish.label() == null ? linkedPart.label() : wish.label(),
                part.printTags().with(sku.tags()).with(wish.tags()),
                quantities(plates),
                Choices.of(part, materials(linkedPart, wish), chosen, wish.path() + ".materials", wrongs),
                overrides.checked(check, wrongs),
                serials,
                Sheets.of(part, plates, wish.path() + ".plateQuantities", wrongs));
    }

    /** Gives the parameters their values, later ones over earlier: the SKU's own, its inputs, the wish. */
    private static List<Serial> given(
            Overrides overrides,
            LinkedPart linkedPart,
            SkuWish sku,
            Wish wish,
            Map<String, Sequence> sequences,
            Wrongs wrongs) {
        String path = wish.path() + ".parameters.";
        overrides.giveDefaults(path);
        linkedPart.parameters().stream()
                .filter(fixed -> fixed.value() != null)
                .forEach(fixed -> overrides.give(fixed.name(), fixed.value(), path + fixed.name()));
        bindings(linkedPart.parameterBindings()).forEach((name, input) -> {
            if (sku.inputs().containsKey(input)) {
                overrides.give(name, sku.inputs().get(input), sku.path() + ".parameters." + input);
            }
        });
        Map<String, Object> own = Objects.requireNonNullElse(wish.parameters(), Map.of());
        own.forEach((name, value) -> {
            if (linkedPart.exposedParameters().contains(name)) {
                overrides.give(name, value, path + name);
            } else {
                wrongs.add(
                        path + name,
                        "not_exposed",
                        path + name + ": the SKU does not let parameter " + name + " be set");
            }
        });
        List<Serial> serials = new ArrayList<>();
        bindings(linkedPart.sequenceBindings()).forEach((name, binding) -> {
            if (!own.containsKey(name)) {
                overrides.forget(name);
                serial(overrides, name, sequences.get(binding), path + name, wrongs)
                        .ifPresent(serials::add);
            }
        });
        return serials;
    }

    private static Map<String, String> bindings(@Nullable Map<String, String> bindings) {
        return Objects.requireNonNullElse(bindings, Map.of());
    }

    private static Optional<Serial> serial(
            Overrides overrides, String name, @Nullable Sequence sequence, String path, Wrongs wrongs) {
        Optional<PartParameter> parameter = overrides.parameter(name);
        if (parameter.isEmpty()) {
            wrongs.add(path, "unknown", path + ": the part has no parameter " + name);
        } else if (sequence == null) {
            wrongs.add(
                    path, "not_found", path + " is bound to a sequence, but not to one that is there and the only one");
        } else {
            boolean perCopy = parameter.get().serialReuse() == PartParameter.SerialReuse.increment;
            return switch (parameter.get().type()) {
                case string -> Optional.of(new Serial(name, sequence.id(), perCopy, false));
                case number -> Optional.of(new Serial(name, sequence.id(), perCopy, true));
                case FLAG, file -> {
                    wrongs.add(path, "type", path + ": only texts and numbers can be bound to a sequence");
                    yield Optional.empty();
                }
            };
        }
        return Optional.empty();
    }

    private static PlateWishes plates(Part part, LinkedPart linkedPart, SkuWish sku, Wish wish, Wrongs wrongs) {
        PlateWishes plates = PlateWishes.of(linkedPart.extensions());
        String binding = linkedPart.plateQuantitiesBinding();
        Object input = binding == null ? null : sku.inputs().get(binding);
        if (wish.plateQuantities() != null || input == null) {
            return plates.with(wish.plateQuantities());
        }
        return plates.bound(input, Sheets.plateIds(part), sku.path() + ".parameters." + binding, wrongs);
    }

    private static @Nullable Map<String, Integer> quantities(PlateWishes plates) {
        return plates.quantities().isEmpty() ? null : plates.quantities();
    }

    private static Map<String, List<Assignment>> materials(LinkedPart linkedPart, Wish wish) {
        Map<String, List<Assignment>> wished =
                new HashMap<>(Objects.requireNonNullElse(linkedPart.materialAssignments(), Map.of()));
        wished.putAll(Objects.requireNonNullElse(wish.materials(), Map.of()));
        return wished;
    }
}
