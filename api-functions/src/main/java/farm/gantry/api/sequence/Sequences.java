package farm.gantry.api.sequence;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Tables;
import farm.gantry.sequence.Sequence;
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

/** Serial numbers; builds draw them, people set where they go on. */
@Controller("/v1/sequences")
@ExecuteOn(TaskExecutors.BLOCKING)
final class Sequences {
    private final Resources<Sequence> sequences;

    Sequences(Tables tables) {
        this.sequences = tables.resource(Sequence.class, "sequence");
    }

    @Get
    @Needs(Permission.SKU_VIEW)
    HttpResponse<List<Sequence>> list(Caller caller, HttpRequest<?> request) {
        return sequences.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.SKU_VIEW)
    HttpResponse<SearchResponse<Sequence>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return sequences.search(caller, request, body);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.SKU_CREATE)
    HttpResponse<Sequence> create(Caller caller, @Body @As(Sequence.class) JsonNode body) {
        return sequences.create(caller, body, Map.of());
    }

    @Get("/{id}")
    @Needs(Permission.SKU_VIEW)
    HttpResponse<Sequence> get(Caller caller, String id, HttpRequest<?> request) {
        return sequences.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.SKU_EDIT)
    HttpResponse<Sequence> patch(Caller caller, String id, @Body @As(Sequence.class) JsonNode body) {
        return sequences.patch(caller, id, body);
    }

    @Patch
    @Needs(Permission.SKU_EDIT)
    HttpResponse<List<Sequence>> patchAll(Caller caller, @Body @As(BulkPatch.class) JsonNode body) {
        return sequences.patchAll(caller, body, (_, _, changed) -> changed);
    }

    @Delete
    @Needs(Permission.SKU_DELETE)
    HttpResponse<List<String>> deleteAll(Caller caller, @Body @As(String[].class) JsonNode body) {
        return sequences.deleteAll(caller, body);
    }

    @Delete("/{id}")
    @Needs(Permission.SKU_DELETE)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        return sequences.delete(caller, id);
    }
}
