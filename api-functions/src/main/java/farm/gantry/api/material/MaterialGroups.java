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
import farm.gantry.material.MaterialGroup;
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

/** Groups of variants that stand in for each other; their members go with them. */
@Controller("/v1/materials/groups")
@ExecuteOn(TaskExecutors.BLOCKING)
final class MaterialGroups {
    private final Resources<MaterialGroup> groups;

    MaterialGroups(Tables tables, Costs costs) {
        this.groups = tables.resource(MaterialGroup.class, "material group").followedBy((tx, before, _) -> {
            if (!before.isEmpty()) {
                costs.refreshAll(tx);
            }
        });
    }

    @Get
    @Needs(Permission.MATERIAL_VIEW)
    HttpResponse<List<MaterialGroup>> list(Caller caller, HttpRequest<?> request) {
        return groups.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.MATERIAL_VIEW)
    HttpResponse<SearchResponse<MaterialGroup>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return groups.search(caller, request, body);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.MATERIAL_CREATE)
    HttpResponse<MaterialGroup> create(Caller caller, @Body @As(MaterialGroup.class) JsonNode body) {
        return groups.create(caller, body, Map.of());
    }

    @Get("/{id}")
    @Needs(Permission.MATERIAL_VIEW)
    HttpResponse<MaterialGroup> get(Caller caller, String id, HttpRequest<?> request) {
        return groups.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.MATERIAL_EDIT)
    HttpResponse<MaterialGroup> patch(Caller caller, String id, @Body @As(MaterialGroup.class) JsonNode body) {
        return groups.patch(caller, id, body);
    }

    @Patch
    @Needs(Permission.MATERIAL_EDIT)
    HttpResponse<List<MaterialGroup>> patchAll(Caller caller, @Body @As(BulkPatch.class) JsonNode body) {
        return groups.patchAll(caller, body, (_, _, changed) -> changed);
    }

    @Delete
    @Needs(Permission.MATERIAL_DELETE)
    HttpResponse<List<String>> deleteAll(Caller caller, @Body @As(String[].class) JsonNode body) {
        return groups.deleteAll(caller, body);
    }

    @Delete("/{id}")
    @Needs(Permission.MATERIAL_DELETE)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        return groups.delete(caller, id);
    }
}
