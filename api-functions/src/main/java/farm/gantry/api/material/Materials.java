package farm.gantry.api.material;

import farm.gantry.api.cost.SkuCostRows;
import farm.gantry.api.profile.SlicerBundles;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.material.Material;
import io.micronaut.http.annotation.Controller;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Filaments; one that comes in variants stays. */
@Controller("/v1/materials")
final class Materials extends FilamentRoutes<Material> {
    Materials(
            ResourceFactory factory,
            SkuCostRows costs,
            LoadedFilamentUpdater loaded,
            MaterialReferenceChecks known,
            SlicerBundles bundles) {
        super(
                factory.of(Material.class, "material")
                        .lockedBy((tx, _) -> loaded.lock(tx))
                        .followedBy((tx, before, after) -> {
                            known.checkDeleted(tx, before, after, Material::id);
                            if (!prices(before).equals(prices(after))) {
                                costs.refreshAll(tx);
                            }
                            loaded.onChange(
                                    tx,
                                    before,
                                    after,
                                    material -> List.of(material.id(), material.type()),
                                    material -> Arrays.asList(
                                            material.id(),
                                            material.filamentUserProfileId(),
                                            material.filamentSystemProfileId()));
                        }),
                bundles);
    }

    private record Price(String id, String type, int per1000g) {}

    private static Set<Price> prices(List<Material> materials) {
        return materials.stream()
                .filter(material -> material.pricePer1000g() != null)
                .map(material -> new Price(material.id(), material.type(), material.pricePer1000g()))
                .collect(Collectors.toSet());
    }
}
