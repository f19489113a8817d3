package farm.gantry.api.macro;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Tables;
import farm.gantry.macro.GcodeMacro;
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

/** A resource without rules of its own: a record and these routes. */
@Controller("/v1/macros")
@ExecuteOn(TaskExecutors.BLOCKING)
final class GcodeMacros {
    private final Resources<GcodeMacro> macros;

    GcodeMacros(Tables tables) {
        this.macros = tables.resource(GcodeMacro.class, "macro");
    }

    @Get
    @Needs(Permission.MACRO_VIEW)
    HttpResponse<List<GcodeMacro>> list(Caller caller, HttpRequest<?> request) {
        return macros.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.MACRO_VIEW)
    HttpResponse<SearchResponse<GcodeMacro>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return macros.search(caller, request, body);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.MACRO_CREATE)
    HttpResponse<GcodeMacro> create(Caller caller, @Body @As(GcodeMacro.class) JsonNode body) {
        return macros.create(caller, body, Map.of());
    }

    @Get("/{id}")
    @Needs(Permission.MACRO_VIEW)
    HttpResponse<GcodeMacro> get(Caller caller, String id, HttpRequest<?> request) {
        return macros.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.MACRO_EDIT)
    HttpResponse<GcodeMacro> patch(Caller caller, String id, @Body @As(GcodeMacro.class) JsonNode body) {
        return macros.patch(caller, id, body);
    }

    @Patch
    @Needs(Permission.MACRO_EDIT)
    HttpResponse<List<GcodeMacro>> patchAll(Caller caller, @Body @As(BulkPatch.class) JsonNode body) {
        return macros.patchAll(caller, body, (_, _, changed) -> changed);
    }

    @Delete
    @Needs(Permission.MACRO_DELETE)
    HttpResponse<List<String>> deleteAll(Caller caller, @Body @As(String[].class) JsonNode body) {
        return macros.deleteAll(caller, body);
    }

    @Delete("/{id}")
    @Needs(Permission.MACRO_DELETE)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        return macros.delete(caller, id);
    }
}
