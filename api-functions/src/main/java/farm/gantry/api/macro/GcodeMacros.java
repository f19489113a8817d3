package farm.gantry.api.macro;

import farm.gantry.Permission;
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
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
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
    HttpResponse<List<GcodeMacro>> list(@Parameter(hidden = true) Caller caller, HttpRequest<?> request) {
        return macros.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.MACRO_VIEW)
    HttpResponse<SearchResponse<GcodeMacro>> search(
            @Parameter(hidden = true) Caller caller,
            @Body @RequestBody(content = @Content(schema = @Schema(implementation = Search.class))) JsonNode body) {
        return macros.search(caller, body);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.MACRO_CREATE)
    HttpResponse<GcodeMacro> create(
            @Parameter(hidden = true) Caller caller,
            @Body @RequestBody(content = @Content(schema = @Schema(implementation = GcodeMacro.class))) JsonNode body) {
        return macros.create(caller, body, Map.of());
    }

    @Get("/{id}")
    @Needs(Permission.MACRO_VIEW)
    HttpResponse<GcodeMacro> get(@Parameter(hidden = true) Caller caller, String id, HttpRequest<?> request) {
        return macros.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.MACRO_EDIT)
    HttpResponse<GcodeMacro> patch(
            @Parameter(hidden = true) Caller caller,
            String id,
            @Body @RequestBody(content = @Content(schema = @Schema(implementation = GcodeMacro.class))) JsonNode body) {
        return macros.patch(caller, id, body);
    }

    @Patch
    @Needs(Permission.MACRO_EDIT)
    HttpResponse<List<GcodeMacro>> patchAll(
            @Parameter(hidden = true) Caller caller,
            @Body @RequestBody(content = @Content(schema = @Schema(implementation = BulkPatch.class))) JsonNode body) {
        return macros.patchAll(caller, body, (_, _, changed) -> changed);
    }

    @Delete
    @Needs(Permission.MACRO_DELETE)
    HttpResponse<List<String>> deleteAll(
            @Parameter(hidden = true) Caller caller,
            @Body @RequestBody(content = @Content(schema = @Schema(implementation = String[].class))) JsonNode body) {
        return macros.deleteAll(caller, body);
    }

    @Delete("/{id}")
    @Needs(Permission.MACRO_DELETE)
    HttpResponse<List<String>> delete(@Parameter(hidden = true) Caller caller, String id) {
        return macros.delete(caller, id);
    }
}
