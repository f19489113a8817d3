package farm.gantry.api.builds;

import farm.gantry.StoreId;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.ContentTypes;
import farm.gantry.api.file.FileReferenceRows;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.material.MaterialReferenceChecks;
import farm.gantry.builds.BuildPlan;
import farm.gantry.builds.ParameterValueCheck;
import farm.gantry.builds.PartOptions;
import farm.gantry.builds.PartPlan;
import farm.gantry.builds.PartPlanner;
import farm.gantry.builds.PropertyValue;
import farm.gantry.builds.SkuBuildOptions;
import farm.gantry.builds.SkuOptionCatalog;
import farm.gantry.file.FileUri;
import farm.gantry.material.Assignment;
import farm.gantry.part.ParameterCheck;
import farm.gantry.part.Part;
import farm.gantry.part.PartParameter;
import farm.gantry.sku.LinkedPart;
import farm.gantry.sku.Sku;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Plans the jobs of a build request and reports all its faults at once, by their paths in the body. */
@Singleton
final class BuildPlanner {
    private static final int MAX_JOBS = 25_000;

    private final BuildInputLoader inputs;
    private final MaterialReferenceChecks materials;
    private final FileStorage files;
    private final FileReferenceRows references;

    BuildPlanner(
            BuildInputLoader inputs,
            MaterialReferenceChecks materials,
            FileStorage files,
            FileReferenceRows references) {
        this.inputs = inputs;
        this.materials = materials;
        this.files = files;
        this.references = references;
    }

    List<BuildPlan> plan(Tx tx, BuildRequest request) {
        Faults faults = new Faults();
        checkForm(request, faults);
        faults.check();
        references.lockShared(tx);
        BuildInputLoader.LoadedRecords found = inputs.load(tx, request);
        Map<String, Map<String, List<Assignment>>> choices = new LinkedHashMap<>();
        List<BuildPlan> plans = new ArrayList<>();
        for (int i = 0; i < request.parts().size(); i++) {
            planPart(tx.store(), "parts[" + i + "]", request.parts().get(i), found, choices, faults)
                    .ifPresent(plans::add);
        }
        for (int i = 0; i < request.skus().size(); i++) {
            planSku(tx.store(), "skus[" + i + "]", request.skus().get(i), found, choices, faults)
                    .ifPresent(plans::add);
        }
        materials.check(tx, faults, choices);
        faults.check();
        checkCount(
                request.parts().isEmpty() ? "skus" : "parts",
                plans.stream().mapToLong(BuildPlan::jobCount).sum());
        return plans;
    }

    /** Rejects a request with more jobs than may be queued at once; the error names the path. */
    static void checkCount(String path, long count) {
        if (count > MAX_JOBS) {
            throw ProblemException.invalid(
                    path, "range", count + " jobs are more than the maximum of " + MAX_JOBS + " at a time");
        }
    }

    private static void checkForm(BuildRequest request, Faults faults) {
        if (request.parts().isEmpty() && request.skus().isEmpty()) {
            faults.add("parts", "required", "name at least one part or SKU");
        }
        for (int i = 0; i < request.skus().size(); i++) {
            BuildRequest.RequestedSku wish = request.skus().get(i);
            String path = "skus[" + i + "]";
            if (wish.skuId() == null && wish.sku() == null) {
                faults.add(path + ".skuId", "required", path + " must name a SKU by skuId or sku");
            } else if (wish.skuId() != null && wish.sku() != null) {
                faults.add(path + ".skuId", "invalid", path + " must name a SKU by either skuId or sku, not both");
            }
        }
    }

    private Optional<BuildPlan> planPart(
            StoreId store,
            String path,
            BuildRequest.RequestedPart request,
            BuildInputLoader.LoadedRecords found,
            Map<String, Map<String, List<Assignment>>> choices,
            Faults faults) {
        Part part = found.parts().get(request.partId());
        if (part == null) {
            faults.add(path + ".partId", "not_found", "there is no part " + request.partId());
            return Optional.empty();
        }
        PartOptions options = new PartOptions(
                path,
                request.quantity(),
                request.parameters(),
                request.label(),
                request.tags(),
                request.plateQuantities(),
                request.materials());
        choices.put(path + ".materials", Objects.requireNonNullElse(request.materials(), Map.of()));
        PartPlan plan = PartPlanner.planPart(part, options, ofPart(found, part), check(store), faults::add);
        return Optional.of(
                new BuildPlan(null, null, List.of(plan), request.priority(), isFront(request.position()), null, null));
    }

    private static boolean isFront(@Nullable Position position) {
        return position == Position.front;
    }

    private static Map<String, List<Assignment>> ofPart(BuildInputLoader.LoadedRecords found, Part part) {
        return found.materials().getOrDefault(part.id(), Map.of());
    }

    private Optional<BuildPlan> planSku(
            StoreId store,
            String path,
            BuildRequest.RequestedSku request,
            BuildInputLoader.LoadedRecords found,
            Map<String, Map<String, List<Assignment>>> choices,
            Faults faults) {
        Sku sku = found.sku(request);
        if (sku == null) {
            boolean byId = request.skuId() != null;
            faults.add(
                    path + (byId ? ".skuId" : ".sku"),
                    "not_found",
                    "there is no SKU " + (byId ? request.skuId() : request.sku()));
            return Optional.empty();
        }
        List<LinkedPart> linkedParts = found.linkedParts().getOrDefault(sku.id(), List.of());
        checkNames(path, request, linkedParts, faults);
        SkuBuildOptions skuOptions = new SkuBuildOptions(
                path,
                request.quantity(),
                request.parameters(),
                properties(path, request, linkedParts, found.options(sku), faults),
                request.tags());
        List<PartPlan> parts = new ArrayList<>();
        for (LinkedPart linkedPart : linkedParts) {
            PartOptions options = options(
                    path + ".linkedPartConfigs." + linkedPart.id(),
                    request.linkedPartConfigs().get(linkedPart.id()));
            Part part = Objects.requireNonNull(found.parts().get(linkedPart.partId()));
            choices.put(
                    options.path() + ".materials",
                    PartPlanner.materials(part, linkedPart, skuOptions, options, (_, _, _) -> {}));
            PartPlan plan = PartPlanner.planLinkedPart(
                    part,
                    linkedPart,
                    skuOptions,
                    options,
                    ofPart(found, part),
                    found.sequences(),
                    check(store),
                    faults::add);
            if (plan.quantity() > 0) {
                parts.add(plan);
            }
        }
        BuildRequest.OrderLink order = request.order();
        return Optional.of(new BuildPlan(
                sku,
                skuOptions,
                parts,
                request.priority(),
                isFront(request.position()),
                order == null ? null : order.orderId(),
                order == null ? null : order.orderItemId()));
    }

    /**
     * Returns the property values that result from the chosen options, for linked parts that are bound to them and whose input is not
     * given.
     */
    private static Map<String, PropertyValue> properties(
            String path,
            BuildRequest.RequestedSku request,
            List<LinkedPart> linkedParts,
            SkuOptionCatalog options,
            Faults faults) {
        Set<String> bound = linkedParts.stream()
                .flatMap(linkedPart -> linkedPart.boundProperties().stream())
                .filter(property -> !request.parameters().containsKey(property))
                .collect(Collectors.toSet());
        return options.resolveProperties(
                new SkuOptionCatalog.Choice(path, request.optionValueIds(), request.personalization()),
                bound,
                faults::add);
    }

    /** Checks that the requested linked parts belong to the SKU, and that each input is used by a linked part. */
    private static void checkNames(
            String path, BuildRequest.RequestedSku request, List<LinkedPart> linkedParts, Faults faults) {
        request.linkedPartConfigs().keySet().stream()
                .filter(id -> linkedParts.stream().noneMatch(each -> each.id().equals(id)))
                .forEach(id ->
                        faults.add(path + ".linkedPartConfigs." + id, "unknown", "the SKU has no linked part " + id));
        request.parameters().keySet().stream()
                .filter(input -> linkedParts.stream().noneMatch(each -> takesInput(each, input)))
                .forEach(input -> faults.add(
                        path + ".parameters." + input,
                        "unknown",
                        "no linked part of the SKU is bound to the input " + input));
    }

    private static boolean takesInput(LinkedPart linkedPart, String input) {
        return input.equals(linkedPart.plateQuantitiesBinding())
                || linkedPart.bindings().containsValue(input);
    }

    private static PartOptions options(String path, BuildRequest.@Nullable LinkedPartConfig config) {
        return config == null
                ? new PartOptions(path, null, null, null, null, null, null)
                : new PartOptions(
                        path,
                        config.quantity(),
                        config.parameters(),
                        config.label(),
                        config.tags(),
                        config.plateQuantities(),
                        config.materials());
    }

    private ParameterValueCheck check(StoreId store) {
        return (parameter, value) -> ParameterCheck.check(parameter, value)
                .or(() -> parameter.type() == PartParameter.Type.file
                        ? findFileViolation(store, parameter, String.valueOf(value))
                        : Optional.empty());
    }

    private Optional<ParameterCheck.Violation> findFileViolation(StoreId store, PartParameter parameter, String uri) {
        Optional<FileUri> file = FileUri.parse(uri)
                .filter(each -> each.storeId().equals(store.value()))
                .filter(files::exists);
        List<String> accepted = Objects.requireNonNullElse(parameter.acceptedContentTypes(), List.of());
        if (file.isEmpty()) {
            return Optional.of(new ParameterCheck.Violation(
                    "not_found", "must be the URI of an uploaded file: there is no file at '" + uri + "'"));
        }
        return ContentTypes.isAccepted(accepted, file.get().fileName())
                ? Optional.empty()
                : Optional.of(new ParameterCheck.Violation(
                        "content_type", "must be a file of " + String.join(", ", accepted)));
    }
}
