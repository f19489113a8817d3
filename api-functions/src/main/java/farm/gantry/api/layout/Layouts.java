package farm.gantry.api.layout;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.RecordReader;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.layout.Layout;
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

/** Dashboards. One that becomes its user's default takes the place of the one that was. */
@Controller("/v1/layouts")
@ExecuteOn(TaskExecutors.BLOCKING)
final class Layouts {
    private final Resources<Layout> layouts;
    private final Table<Layout> table;

    Layouts(Tables tables) {
        this.layouts = tables.resource(Layout.class, "layout").checkedBy(this::replacingDefault);
        this.table = layouts.table();
    }

    @Get
    @Needs(Permission.LAYOUT_VIEW)
    HttpResponse<List<Layout>> list(Caller caller, HttpRequest<?> request) {
        return layouts.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.LAYOUT_VIEW)
    HttpResponse<SearchResponse<Layout>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return layouts.search(caller, request, body);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.LAYOUT_CREATE)
    HttpResponse<Layout> create(Caller caller, @Body @As(Layout.class) JsonNode body) {
        return layouts.create(caller, withUser(body, caller), Map.of());
    }

    /** A layout is the creating key's, unless a user is said. */
    private static JsonNode withUser(JsonNode body, Caller caller) {
        return !body.isObject() || body.get("userId") != null
                ? body
                : RecordReader.with(body, "userId", JsonNode.createStringNode(caller.keyId()));
    }

    @Get("/{id}")
    @Needs(Permission.LAYOUT_VIEW)
    HttpResponse<Layout> get(Caller caller, String id, HttpRequest<?> request) {
        return layouts.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.LAYOUT_EDIT)
    HttpResponse<Layout> patch(Caller caller, String id, @Body @As(Layout.class) JsonNode body) {
        return layouts.patch(caller, id, body);
    }

    @Patch
    @Needs(Permission.LAYOUT_EDIT)
    HttpResponse<List<Layout>> patchAll(Caller caller, @Body @As(BulkPatch.class) JsonNode body) {
        return layouts.patchAll(caller, body, (_, _, changed) -> changed);
    }

    @Delete
    @Needs(Permission.LAYOUT_DELETE)
    HttpResponse<List<String>> deleteAll(Caller caller, @Body @As(String[].class) JsonNode body) {
        return layouts.deleteAll(caller, body);
    }

    @Delete("/{id}")
    @Needs(Permission.LAYOUT_DELETE)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        return layouts.delete(caller, id);
    }

    /** Turns off the user's other default; whoever makes one at the same time waits, and then turns off this one. */
    private Layout replacingDefault(Tx tx, Layout layout) {
        if (layout.isDefault()) {
            tx.alone("default layout of " + layout.userId());
            ListQuery others = ListQuery.of(
                    table.columns(),
                    Map.of(
                            "userId", List.of(layout.userId()),
                            "isDefault", List.of("true"),
                            "id.ne", List.of(layout.id())));
            table.find(tx, others).forEach(other -> table.change(tx, other.id(), Map.of(), Map.of("isDefault", false)));
        }
        return layout;
    }
}
