package farm.gantry.api.sku;

import farm.gantry.Permission;
import farm.gantry.api.csv.CsvImports;
import farm.gantry.api.csv.ImportResult;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.CsvResponses;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.sku.Sku;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.json.tree.JsonNode;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The routes of SKUs; each is stored together with its linked parts in one transaction. */
@Controller("/v1/skus")
final class Skus extends ResourceRoutes<Sku> {
    private final Database database;
    private final LinkedPartService linkedParts;
    private final RecordReader reader;

    private final CsvImports imports;

    Skus(
            ResourceFactory factory,
            Database database,
            LinkedPartService linkedParts,
            RecordReader reader,
            CsvImports imports) {
        super(factory.of(Sku.class, "SKU"));
        this.database = database;
        this.linkedParts = linkedParts;
        this.reader = reader;
        this.imports = imports;
    }

    /**
     * Creates SKUs from CSV, all of the file or none. The first line names the columns, which are fields of an SKU.
     * Columns that only the server sets are ignored. With {@code dryRun=true}, nothing is stored; every faulty cell is
     * named. Link the parts afterwards.
     */
    @Post("/import")
    @Consumes({CsvResponses.CSV, MediaType.ALL})
    @RequiresPermission(Permission.SKU_CREATE)
    ImportResult importCsv(
            Caller caller,
            HttpRequest<?> request,
            @Nullable @Body InputStream body,
            @QueryValue(defaultValue = "false") boolean dryRun) {
        return imports.create(
                caller, request, body, dryRun, Sku.class, (tx, skus) -> resources.createAll(tx, caller, skus));
    }

    @Override
    public HttpResponse<Sku> create(Caller caller, @BodyType(with = SkuLinkedParts.class) JsonNode body) {
        JsonNode parts = parts(body);
        Faults faults = new Faults();
        Optional<Sku> sku = faults.read("", () -> resources.parseNew(caller.store(), body, Map.of()));
        if (parts != null) {
            linkedParts.check(faults, caller.store(), parts);
        }
        addUnknown(caller, faults, body, parts);
        return JsonResponses.created(database.in(caller, tx -> {
            resources.create(tx, caller, sku.orElseThrow());
            return withParts(tx, caller, sku.orElseThrow().id(), parts);
        }));
    }

    /** Throws if there are faults, after adding faults for unknown ids of the SKU and its parts. */
    private void addUnknown(Caller caller, Faults faults, JsonNode body, @Nullable JsonNode parts) {
        resources.addUnknown(caller, faults, "", body);
        if (parts != null) {
            linkedParts.addUnknown(caller, faults, parts);
        }
        faults.check();
    }

    private static @Nullable JsonNode parts(JsonNode body) {
        JsonNode parts = body.get("linkedParts");
        return parts == null || parts.isNull() ? null : parts;
    }

    private RawJson<Sku> withParts(Tx tx, Caller caller, String id, @Nullable JsonNode parts) {
        if (parts != null) {
            linkedParts.replace(tx, caller, id, parts);
        }
        return resources
                .table()
                .get(tx, id, resources.table().secretVisibility(caller))
                .orElseThrow();
    }

    @Override
    public HttpResponse<Sku> patch(
            Caller caller, String id, IfMatch ifMatch, @BodyType(with = SkuLinkedParts.class) JsonNode body) {
        Resources.parseId(id);
        JsonNode parts = parts(body);
        if (parts != null) {
            Faults faults = new Faults();
            faults.read("", () -> reader.checkPatch(Sku.class, body));
            linkedParts.check(faults, caller.unverifiedStore(), parts);
            addUnknown(caller, faults, body, parts);
        }
        return JsonResponses.ok(database.in(caller, tx -> {
            resources.patch(tx, caller, id, ifMatch, body, rule(caller, body));
            return withParts(tx, caller, id, parts);
        }));
    }

    /** Applies one change to many SKUs. All are changed, or none. Linked parts can only be changed with a single SKU. */
    @Override
    public HttpResponse<List<Sku>> patchAll(Caller caller, JsonNode body) {
        JsonNode update = body.get("update");
        if (update != null && parts(update) != null) {
            throw ProblemException.invalid(
                    "update.linkedParts",
                    "unsupported",
                    "update.linkedParts: linked parts belong to one SKU each and are changed with it");
        }
        return super.patchAll(caller, body);
    }
}
