package farm.gantry.api.material;

import farm.gantry.api.cost.SkuCostRows;
import farm.gantry.api.profile.SlicerBundles;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.material.MaterialVariant;
import io.micronaut.http.annotation.Controller;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The colours a material comes in. */
@Controller("/v1/materials/variants")
final class MaterialVariants extends FilamentRoutes<MaterialVariant> {
    MaterialVariants(
            ResourceFactory factory,
            SkuCostRows costs,
            LoadedFilamentUpdater loaded,
            MaterialReferenceChecks known,
            SlicerBundles bundles) {
        super(
                factory.of(MaterialVariant.class, "material variant")
                        .lockedBy((tx, _) -> loaded.lock(tx))
                        .followedBy((tx, before, after) -> {
                            known.checkDeleted(tx, before, after, MaterialVariant::id);
                            if (!prices(before).equals(prices(after))) {
                                costs.refreshAll(tx);
                            }
                            loaded.onChange(
                                    tx,
                                    before,
                                    after,
                                    variant -> List.of(variant.id(), variant.materialId()),
                                    variant -> Arrays.asList(
                                            variant.id(),
                                            variant.filamentUserProfileId(),
                                            variant.filamentSystemProfileId()));
                        }),
                bundles);
    }

    /** Whether a variant has a price of its own or its material's, it may be one that something is printed with. */
    private record Price(
            String id, String materialId, @Nullable Integer per1000g) {}

    private static Set<Price> prices(List<MaterialVariant> variants) {
        return variants.stream()
                .map(variant -> new Price(variant.id(), variant.materialId(), variant.pricePer1000g()))
                .collect(Collectors.toSet());
    }
}
