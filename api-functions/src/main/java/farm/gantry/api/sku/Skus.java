package farm.gantry.api.sku;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Faults;
import farm.gantry.api.Json;
import farm.gantry.api.Needs;
import farm.gantry.api.Problem;
import farm.gantry.api.folder.FolderCheck;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.folder.Folder;
import farm.gantry.sku.Sku;
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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Products; each is kept with its linked parts, all of them or none. */
@Controller("/v1/skus")
@ExecuteOn(TaskExecutors.BLOCKING)
final class Skus {
    private final Resources<Sku> skus;
    private final Table<Sku> table;
    private final Database database;
    private final LinkedPartsOfSkus linkedParts;

    Skus(Tables tables, Database database, LinkedPartsOfSkus linkedParts, FolderCheck folders) {
        this.skus = tables.resource(Sku.class, "SKU")
                .checkedBy((tx, sku) -> folders.check(tx, sku, sku.folderId(), Folder.Type.sku));
        this.table = skus.table();
        this.database = database;
        this.linkedParts = linkedParts;
    }

    @Get
    @Needs(Permission.SKU_VIEW)
    HttpResponse<List<Sku>> list(Caller caller, HttpRequest<?> request) {
        return skus.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.SKU_VIEW)
    HttpResponse<SearchResponse<Sku>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return skus.search(caller, request, body);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.SKU_CREATE)
    HttpResponse<Sku> create(Caller caller, @Body @As(value = Sku.class, with = SkuParts.class) JsonNode body) {
        JsonNode parts = parts(body);
        Faults faults = new Faults();
        Optional<Sku> sku = faults.read("", () -> skus.record(caller.store(), body, Map.of()));
        if (parts != null) {
            linkedParts.check(faults, caller.store(), parts);
        }
        faults.check();
        return Resources.created(database.in(caller.store(), tx -> {
            skus.create(tx, caller, sku.orElseThrow());
            return withParts(tx, caller, sku.orElseThrow().id(), parts);
        }));
    }

    private static @Nullable JsonNode parts(JsonNode body) {
        return body.isObject() ? body.get("linkedParts") : null;
    }

    private Json<Sku> withParts(Tx tx, Caller caller, String id, @Nullable JsonNode parts) {
        if (parts != null) {
            linkedParts.replace(tx, caller, id, parts);
        }
        return table.get(tx, id, Resources.shown(caller)).orElseThrow();
    }

    @Get("/{id}")
    @Needs(Permission.SKU_VIEW)
    HttpResponse<Sku> get(Caller caller, String id, HttpRequest<?> request) {
        return skus.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.SKU_EDIT)
    HttpResponse<Sku> patch(
            Caller caller, String id, @Body @As(value = Sku.class, with = SkuParts.class) JsonNode body) {
        Resources.checked(id);
        return Resources.ok(database.in(caller.store(), tx -> {
            skus.patch(tx, caller, id, body, (_, _, changed) -> changed);
            return withParts(tx, caller, id, parts(body));
        }));
    }

    /** Makes the same change to each of the SKUs, or to none; their linked parts are changed with each alone. */
    @Patch
    @Needs(Permission.SKU_EDIT)
    HttpResponse<List<Sku>> patchAll(Caller caller, @Body @As(BulkPatch.class) JsonNode body) {
        JsonNode update = body.isObject() ? body.get("update") : null;
        if (update != null && update.isObject() && update.get("linkedParts") != null) {
            throw Problem.Invalid.of(
                    "update.linkedParts",
                    "unsupported",
                    "update.linkedParts: linked parts belong to one SKU each and are changed with it");
        }
        return skus.patchAll(caller, body, (_, _, changed) -> changed);
    }

    @Delete
    @Needs(Permission.SKU_DELETE)
    HttpResponse<List<String>> deleteAll(Caller caller, @Body @As(String[].class) JsonNode body) {
        return skus.deleteAll(caller, body);
    }

    @Delete("/{id}")
    @Needs(Permission.SKU_DELETE)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        return skus.delete(caller, id);
    }
}
