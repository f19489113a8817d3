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
import farm.gantry.material.MaterialGroupMember;
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

/** Which variants are in which group. */
@Controller("/v1/materials/group-members")
@ExecuteOn(TaskExecutors.BLOCKING)
final class MaterialGroupMembers {
    private final Resources<MaterialGroupMember> members;

    MaterialGroupMembers(Tables tables, Costs costs) {
        this.members = tables.resource(MaterialGroupMember.class, "material group member")
                .followedBy((tx, _, _) -> costs.refreshAll(tx));
    }

    @Get
    @Needs(Permission.MATERIAL_VIEW)
    HttpResponse<List<MaterialGroupMember>> list(Caller caller, HttpRequest<?> request) {
        return members.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.MATERIAL_VIEW)
    HttpResponse<SearchResponse<MaterialGroupMember>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return members.search(caller, request, body);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.MATERIAL_CREATE)
    HttpResponse<MaterialGroupMember> create(Caller caller, @Body @As(MaterialGroupMember.class) JsonNode body) {
        return members.create(caller, body, Map.of());
    }

    @Get("/{id}")
    @Needs(Permission.MATERIAL_VIEW)
    HttpResponse<MaterialGroupMember> get(Caller caller, String id, HttpRequest<?> request) {
        return members.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.MATERIAL_EDIT)
    HttpResponse<MaterialGroupMember> patch(
            Caller caller, String id, @Body @As(MaterialGroupMember.class) JsonNode body) {
        return members.patch(caller, id, body);
    }

    @Patch
    @Needs(Permission.MATERIAL_EDIT)
    HttpResponse<List<MaterialGroupMember>> patchAll(Caller caller, @Body @As(BulkPatch.class) JsonNode body) {
        return members.patchAll(caller, body, (_, _, changed) -> changed);
    }

    @Delete
    @Needs(Permission.MATERIAL_DELETE)
    HttpResponse<List<String>> deleteAll(Caller caller, @Body @As(String[].class) JsonNode body) {
        return members.deleteAll(caller, body);
    }

    @Delete("/{id}")
    @Needs(Permission.MATERIAL_DELETE)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        return members.delete(caller, id);
    }
}
