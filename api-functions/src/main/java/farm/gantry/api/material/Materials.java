package farm.gantry.api.material;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.store.Costs;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Tables;
import farm.gantry.material.Material;
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
import java.util.Set;
import java.util.stream.Collectors;

/** Filaments; one that comes in variants stays. */
@Controller("/v1/materials")
@ExecuteOn(TaskExecutors.BLOCKING)
final class Materials {
    private final Resources<Material> materials;

    Materials(Tables tables, Costs costs) {
        this.materials = tables.resource(Material.class, "material").followedBy((tx, before, after) -> {
            if (!prices(before).equals(prices(after))) {
                costs.refreshAll(tx);
            }
        });
    }

    private record Price(String id, String type, int per1000g) {}

    private static Set<Price> prices(List<Material> materials) {
        return materials.stream()
                .filter(material -> material.pricePer1000g() != null)
                .map(material -> new Price(material.id(), material.type(), material.pricePer1000g()))
                .collect(Collectors.toSet());
    }

    @Get
    @Needs(Permission.MATERIAL_VIEW)
    HttpResponse<List<Material>> list(Caller caller, HttpRequest<?> request) {
        return materials.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.MATERIAL_VIEW)
    HttpResponse<SearchResponse<Material>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return materials.search(caller, request, body);
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

    @Patch
    @Needs(Permission.MATERIAL_EDIT)
    HttpResponse<List<Material>> patchAll(Caller caller, @Body @As(BulkPatch.class) JsonNode body) {
        return materials.patchAll(caller, body, (_, _, changed) -> changed);
    }

    @Delete
    @Needs(Permission.MATERIAL_DELETE)
    HttpResponse<List<String>> deleteAll(Caller caller, @Body @As(String[].class) JsonNode body) {
        return materials.deleteAll(caller, body);
    }

    @Delete("/{id}")
    @Needs(Permission.MATERIAL_DELETE)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        return materials.delete(caller, id);
    }
}
