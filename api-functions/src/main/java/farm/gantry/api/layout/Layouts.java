package farm.gantry.api.layout;

import farm.gantry.api.database.AdvisoryLock;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.api.security.Caller;
import farm.gantry.layout.Layout;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;

/** Dashboard layouts. A new default replaces the user's previous one. */
@Controller("/v1/layouts")
final class Layouts extends ResourceRoutes<Layout> {
    Layouts(ResourceFactory factory, Tables tables) {
        super(factory.of(Layout.class, "layout")
                .lockedBy((tx, _) -> tx.lockExclusive(AdvisoryLock.LAYOUTS))
                .checkedInTurnBy((tx, layout) -> unsetPreviousDefault(tables.of(Layout.class), tx, layout)));
    }

    @Override
    public HttpResponse<Layout> create(Caller caller, JsonNode body) {
        return super.create(caller, withUser(body, caller));
    }

    /** A layout is the creating key's, unless a user is said. */
    private static JsonNode withUser(JsonNode body, Caller caller) {
        return !body.isObject() || body.get("userId") != null
                ? body
                : RecordReader.with(body, "userId", JsonNode.createStringNode(caller.keyId()));
    }

    /**
     * Unsets the user's other default. Takes a lock first, so that concurrent changes of layouts wait instead of
     * deadlocking.
     */
    private static Layout unsetPreviousDefault(Table<Layout> table, Tx tx, Layout layout) {
        if (layout.isDefault()) {
            ListQuery others = ListQuery.of(
                    table.columns(),
                    Map.of(
                            "userId", List.of(layout.userId()),
                            "isDefault", List.of("true"),
                            "id.ne", List.of(layout.id())));
            table.find(tx, others)
                    .forEach(other -> table.change(tx, other.id(), new Change<Layout>().set(Layout::isDefault, false)));
        }
        return layout;
    }
}
