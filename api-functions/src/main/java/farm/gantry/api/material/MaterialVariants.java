package farm.gantry.api.material;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.Problem;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.material.Material;
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

/** The colours a material comes in; each is a material's of the same store. */
@Controller("/v1/materials/variants")
@ExecuteOn(TaskExecutors.BLOCKING)
final class MaterialVariants {
    private final Resources<MaterialVariant> variants;
    private final Table<MaterialVariant> table;
    private final Table<Material> materials;
    private final Database database;

    MaterialVariants(Tables tables, Database database) {
        this.variants = tables.resource(MaterialVariant.class, "material variant");
        this.table = variants.table();
        this.materials = tables.of(Material.class);
        this.database = database;
    }

    @Get
    @Needs(Permission.MATERIAL_VIEW)
    HttpResponse<List<MaterialVariant>> list(Caller caller, HttpRequest<?> request) {
        return variants.list(caller, request);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.MATERIAL_CREATE)
    HttpResponse<MaterialVariant> create(Caller caller, @Body @As(MaterialVariant.class) JsonNode body) {
        MaterialVariant variant = variants.record(caller.store(), body, Map.of());
        return Resources.created(database.in(
                caller.store(), tx -> table.insert(tx, ofKeptMaterial(tx, variant), Resources.shown(caller))));
    }

    /** The variant, whose material nobody can delete until the transaction ends. */
    private MaterialVariant ofKeptMaterial(Tx tx, MaterialVariant variant) {
        if (materials.lock(tx, variant.materialId()).isEmpty()) {
            throw Problem.Invalid.of("materialId", "unknown", "materialId names no material");
        }
        return variant;
    }

    @Get("/{id}")
    @Needs(Permission.MATERIAL_VIEW)
    HttpResponse<MaterialVariant> get(Caller caller, String id, HttpRequest<?> request) {
        return variants.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.MATERIAL_EDIT)
    HttpResponse<MaterialVariant> patch(Caller caller, String id, @Body @As(MaterialVariant.class) JsonNode body) {
        return variants.patch(
                caller,
                id,
                body,
                (tx, before, variant) ->
                        before.materialId().equals(variant.materialId()) ? variant : ofKeptMaterial(tx, variant));
    }

    @Delete("/{id}")
    @Needs(Permission.MATERIAL_DELETE)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        return variants.delete(caller, id);
    }
}
