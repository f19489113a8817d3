package farm.gantry.api.layout;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.store.Database;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Dashboards. One that becomes its user's default takes the place of the one that was. */
@Controller("/v1/layouts")
@ExecuteOn(TaskExecutors.BLOCKING)
final class Layouts {
    private final Resources<Layout> layouts;
    private final Table<Layout> table;
    private final Database database;

    Layouts(Tables tables, Database database) {
        this.layouts = tables.resource(Layout.class, "layout");
        this.table = layouts.table();
        this.database = database;
    }

    @Get
    @Needs(Permission.LAYOUT_VIEW)
    HttpResponse<List<Layout>> list(Caller caller, HttpRequest<?> request) {
        return layouts.list(caller, request);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.LAYOUT_CREATE)
    HttpResponse<Layout> create(Caller caller, @Body @As(Layout.class) JsonNode body) {
        Layout layout = layouts.record(caller.store(), withUser(body, caller), Map.of());
        return Resources.created(database.in(caller.store(), tx -> {
            if (layout.isDefault()) {
                replaceDefault(tx, layout);
            }
            return table.insert(tx, layout, Resources.shown(caller));
        }));
    }

    /** A layout is the creating key's, unless a user is said. */
    private static JsonNode withUser(JsonNode body, Caller caller) {
        if (!body.isObject() || body.get("userId") != null) {
            return body;
        }
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        body.entries().forEach(entry -> fields.put(entry.getKey(), entry.getValue()));
        fields.put("userId", JsonNode.createStringNode(caller.keyId()));
        return JsonNode.createObjectNode(fields);
    }

    @Get("/{id}")
    @Needs(Permission.LAYOUT_VIEW)
    HttpResponse<Layout> get(Caller caller, String id, HttpRequest<?> request) {
        return layouts.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.LAYOUT_EDIT)
    HttpResponse<Layout> patch(Caller caller, String id, @Body @As(Layout.class) JsonNode body) {
        return layouts.patch(caller, id, body, (tx, before, layout) -> {
            boolean wasDefault = before.isDefault() && before.userId().equals(layout.userId());
            if (layout.isDefault() && !wasDefault) {
                replaceDefault(tx, layout);
            }
            return layout;
        });
    }

    /** Turns off the user's default; whoever makes another at the same time waits, and then turns off this one. */
    private void replaceDefault(Tx tx, Layout layout) {
        tx.alone("default layout of " + layout.userId());
        ListQuery others = ListQuery.of(
                table.columns(),
                Map.of(
                        "userId", List.of(layout.userId()),
                        "isDefault", List.of("true"),
                        "id.ne", List.of(layout.id())));
        table.find(tx, others).forEach(other -> table.change(tx, other.id(), Map.of(), Map.of("isDefault", false)));
    }

    @Delete("/{id}")
    @Needs(Permission.LAYOUT_DELETE)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        return layouts.delete(caller, id);
    }
}
