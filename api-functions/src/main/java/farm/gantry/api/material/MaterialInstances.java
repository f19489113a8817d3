package farm.gantry.api.material;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.Problem;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.material.Material;
import farm.gantry.material.MaterialInstance;
import farm.gantry.material.MaterialVariant;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Spools; each is of a variant, of a material, or at least of a type. */
@Controller("/v1/materials/instances")
@ExecuteOn(TaskExecutors.BLOCKING)
final class MaterialInstances {
    private final Resources<MaterialInstance> instances;
    private final Table<Material> materials;
    private final Table<MaterialVariant> variants;

    MaterialInstances(Tables tables) {
        this.instances =
                tables.resource(MaterialInstance.class, "material instance").checkedBy(this::complete);
        this.materials = tables.of(Material.class);
        this.variants = tables.of(MaterialVariant.class);
    }

    @Get
    @Needs(Permission.MATERIAL_INSTANCE_VIEW)
    HttpResponse<List<MaterialInstance>> list(Caller caller, HttpRequest<?> request) {
        return instances.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.MATERIAL_INSTANCE_VIEW)
    HttpResponse<SearchResponse<MaterialInstance>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return instances.search(caller, request, body);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.MATERIAL_INSTANCE_CREATE)
    HttpResponse<MaterialInstance> create(Caller caller, @Body @As(MaterialInstance.class) JsonNode body) {
        return instances.create(caller, body, Map.of());
    }

    @Get("/{id}")
    @Needs(Permission.MATERIAL_INSTANCE_VIEW)
    HttpResponse<MaterialInstance> get(Caller caller, String id, HttpRequest<?> request) {
        return instances.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.MATERIAL_INSTANCE_EDIT)
    HttpResponse<MaterialInstance> patch(Caller caller, String id, @Body @As(MaterialInstance.class) JsonNode body) {
        return instances.patch(caller, id, body);
    }

    @Patch
    @Needs(Permission.MATERIAL_INSTANCE_EDIT)
    HttpResponse<List<MaterialInstance>> patchAll(Caller caller, @Body @As(BulkPatch.class) JsonNode body) {
        return instances.patchAll(caller, body, (_, _, changed) -> changed);
    }

    @Delete
    @Needs(Permission.MATERIAL_INSTANCE_DELETE)
    HttpResponse<List<String>> deleteAll(Caller caller, @Body @As(String[].class) JsonNode body) {
        return instances.deleteAll(caller, body);
    }

    @Delete("/{id}")
    @Needs(Permission.MATERIAL_INSTANCE_DELETE)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        return instances.delete(caller, id);
    }

    /** The spool with the material of its variant and the type of its material; what is unknown is refused later. */
    private MaterialInstance complete(Tx tx, MaterialInstance spool) {
        MaterialInstance ofMaterial = Optional.ofNullable(spool.variantId())
                .flatMap(id -> variants.find(tx, id))
                .map(spool::of)
                .orElse(spool);
        MaterialInstance complete = Optional.ofNullable(ofMaterial.materialId())
                .flatMap(id -> materials.find(tx, id))
                .map(ofMaterial::of)
                .orElse(ofMaterial);
        if (complete.variantId() == null && complete.materialId() == null && complete.materialType() == null) {
            throw Problem.Invalid.of(
                    "materialType", "required", "one of variantId, materialId and materialType is required");
        }
        return complete;
    }
}
