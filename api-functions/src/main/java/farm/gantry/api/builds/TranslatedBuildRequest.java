package farm.gantry.api.builds;

import farm.gantry.RecordBuilder;
import farm.gantry.api.error.Faults;
import farm.gantry.sku.LinkedPart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request of the first version as one of the second, and where in the first stands what the second has elsewhere. */
record TranslatedBuildRequest(BuildRequest request, Map<String, String> places) {

    static TranslatedBuildRequest translate(BuildRequestV1 old) {
        Map<String, String> places = new HashMap<>();
        Faults faults = new Faults();
        List<BuildRequest.RequestedPart> parts = new ArrayList<>();
        for (int i = 0; i < old.parts().size(); i++) {
            BuildRequestV1.RequestedPart wish = old.parts().get(i);
            String path = "parts[" + i + "]";
            parts.add(new BuildRequest.RequestedPart(
                    wish.partId(),
                    wish.quantity(),
                    wish.priority(),
                    null,
                    values(wish.parameterOverrides(), path, path, places),
                    wish.label(),
                    wish.tags(),
                    plateQuantities(wish.extensions()),
                    wish.materialAssignments()));
        }
        List<BuildRequest.RequestedSku> skus = new ArrayList<>();
        for (int i = 0; i < old.skus().size(); i++) {
            BuildRequestV1.RequestedSku wish = old.skus().get(i);
            skus.add(RecordBuilder.copyOf(BuildRequest.RequestedSku.of(wish.skuId(), List.of(), null))
                    .with(BuildRequest.RequestedSku::quantity, wish.quantity())
                    .with(BuildRequest.RequestedSku::priority, wish.priority())
                    .with(BuildRequest.RequestedSku::linkedPartConfigs, configs(wish, "skus[" + i + "]", places, faults))
                    .with(BuildRequest.RequestedSku::tags, wish.tags())
                    .build());
        }
        faults.check();
        return new TranslatedBuildRequest(BuildRequest.of(parts, skus), places);
    }

    private static Map<String, BuildRequest.LinkedPartConfig> configs(
            BuildRequestV1.RequestedSku wish, String path, Map<String, String> places, Faults faults) {
        Map<String, BuildRequest.LinkedPartConfig> configs = new LinkedHashMap<>();
        for (int i = 0; i < wish.parts().size(); i++) {
            BuildRequestV1.RequestedLinkedPart part = wish.parts().get(i);
            String there = path + ".linkedPartConfigs." + part.linkedPartId();
            String here = path + ".parts[" + i + "]";
            places.put(there, here);
            BuildRequest.LinkedPartConfig config = new BuildRequest.LinkedPartConfig(
                    values(part.parameterOverrides(), there, here, places),
                    part.tags(),
                    part.quantity(),
                    part.label(),
                    plateQuantities(part.extensions()),
                    part.materialAssignments());
            if (configs.put(part.linkedPartId(), config) != null) {
                faults.add(here + ".linkedPartId", "invalid", here + ".linkedPartId is named twice");
            }
        }
        return configs;
    }

    private static Map<String, Object> values(
            List<BuildRequestV1.ParameterValue> overrides, String there, String here, Map<String, String> places) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < overrides.size(); i++) {
            BuildRequestV1.ParameterValue override = overrides.get(i);
            values.put(override.name(), override.value());
            places.put(there + ".parameters." + override.name(), here + ".parameterOverrides[" + i + "].value");
        }
        places.put(there + ".plateQuantities", here + ".extensions.3mf.plateQuantities");
        places.put(there + ".materials", here + ".materialAssignments");
        return values;
    }

    private static @Nullable Map<String, Integer> plateQuantities(LinkedPart.@Nullable Extensions extensions) {
        return extensions == null || extensions.threeMf() == null
                ? null
                : extensions.threeMf().plateQuantities();
    }

    /** Returns the path in the first version's request of a path in the second version's. */
    String toV1Path(String path) {
        Optional<String> longest = places.keySet().stream()
                .filter(there -> path.equals(there) || path.startsWith(there + ".") || path.startsWith(there + "["))
                .max((one, other) -> Integer.compare(one.length(), other.length()));
        return longest.map(there -> places.get(there) + path.substring(there.length()))
                .orElse(path);
    }
}
