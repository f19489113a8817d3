package farm.gantry.api.material;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.Problem;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
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
import java.util.stream.Collectors;

/** Filaments; one that comes in variants stays. */
@Controller("/v1/materials")
@ExecuteOn(TaskExecutors.BLOCKING)
final class Materials {
    private static final String NOUN = "material";

    private final Resources<Material> materials;
    private final Table<Material> table;
    private final Table<MaterialVariant> variants;
    private final Database database;

    Materials(Tables tables, Database database) {
        this.materials = tables.resource(Material.class, NOUN);
        this.table = materials.table();
        this.variants = tables.of(MaterialVariant.class);
        this.database = database;
    }

    @Get
    @Needs(Permission.MATERIAL_VIEW)
    HttpResponse<List<Material>> list(Caller caller, HttpRequest<?> request) {
        return materials.list(caller, request);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.MATERIAL_CREATE)
    HttpResponse<Material> create(Caller caller, @Body @As(Material.class) JsonNode body) {
        return materials.create(caller, body, Map.of());
    }

    @Get("/{id}")
    @Needs(Permission.MATERIAL_VIEW)
    HttpResponse<Material> get(Caller caller, String id, HttpRequest<?> request) {
        return materials.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.MATERIAL_EDIT)
    HttpResponse<Material> patch(Caller caller, String id, @Body @As(Material.class) JsonNode body) {
        return materials.patch(caller, id, body);
    }

    @Delete("/{id}")
    @Needs(Permission.MATERIAL_DELETE)
    List<String> delete(Caller caller, String id) {
        return database.in(caller.store(), tx -> {
            if (table.lock(tx, Resources.checked(id)).isEmpty()) {
                throw Problem.NotFound.of(NOUN);
            }
            List<MaterialVariant> kept =
                    variants.find(tx, ListQuery.of(variants.columns(), Map.of("materialId", List.of(id))));
            if (!kept.isEmpty()) {
                throw Problem.Conflict.of("the material has variants: "
                        + kept.stream().map(MaterialVariant::id).collect(Collectors.joining(", ")));
            }
            return table.delete(tx, List.of(id));
        });
    }
}
