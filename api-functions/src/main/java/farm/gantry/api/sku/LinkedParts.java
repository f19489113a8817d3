package farm.gantry.api.sku;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.store.Resources;
import farm.gantry.sku.LinkedPart;
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

/** The parts of SKUs, and those that no SKU has adopted yet. */
@Controller("/v1/linked-parts")
@ExecuteOn(TaskExecutors.BLOCKING)
final class LinkedParts {
    private final Resources<LinkedPart> linkedParts;

    LinkedParts(LinkedPartsOfSkus ofSkus) {
        this.linkedParts = ofSkus.resource();
    }

    @Get
    @Needs(Permission.SKU_VIEW)
    HttpResponse<List<LinkedPart>> list(Caller caller, HttpRequest<?> request) {
        return linkedParts.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.SKU_VIEW)
    HttpResponse<SearchResponse<LinkedPart>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return linkedParts.search(caller, request, body);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.SKU_EDIT)
    HttpResponse<LinkedPart> create(Caller caller, @Body @As(LinkedPart.class) JsonNode body) {
        return linkedParts.create(caller, body, Map.of());
    }

    @Get("/{id}")
    @Needs(Permission.SKU_VIEW)
    HttpResponse<LinkedPart> get(Caller caller, String id, HttpRequest<?> request) {
        return linkedParts.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.SKU_EDIT)
    HttpResponse<LinkedPart> patch(Caller caller, String id, @Body @As(LinkedPart.class) JsonNode body) {
        return linkedParts.patch(caller, id, body);
    }

    @Patch
    @Needs(Permission.SKU_EDIT)
    HttpResponse<List<LinkedPart>> patchAll(Caller caller, @Body @As(BulkPatch.class) JsonNode body) {
        return linkedParts.patchAll(caller, body, (_, _, changed) -> changed);
    }

    @Delete
    @Needs(Permission.SKU_EDIT)
    HttpResponse<List<String>> deleteAll(Caller caller, @Body @As(String[].class) JsonNode body) {
        return linkedParts.deleteAll(caller, body);
    }

    @Delete("/{id}")
    @Needs(Permission.SKU_EDIT)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        return linkedParts.delete(caller, id);
    }
}
