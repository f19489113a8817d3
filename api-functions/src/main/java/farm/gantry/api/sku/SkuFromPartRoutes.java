package farm.gantry.api.sku;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.part.Part;
import farm.gantry.sku.Sku;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;

/** Creates SKUs for parts that are sold as they are. */
@Controller("/v1/parts/create-skus")
@Blocking
final class SkuFromPartRoutes {
    private final Resources<Sku> skus;
    private final Table<Part> parts;
    private final LinkedPartService linkedParts;
    private final Database database;
    private final RecordReader reader;

    SkuFromPartRoutes(
            ResourceFactory factory,
            Tables tables,
            LinkedPartService linkedParts,
            Database database,
            RecordReader reader) {
        this.skus = factory.of(Sku.class, "SKU");
        this.parts = tables.of(Part.class);
        this.linkedParts = linkedParts;
        this.database = database;
        this.reader = reader;
    }

    @Serdeable
    record SkuOfPart(
            @Pattern(regexp = Id.PATTERN) String partId,
            @NotBlank @Size(max = 500) String skuName) {}

    /**
     * Creates a SKU for each part. Each holds one copy of its part. The response has the order of the request. All are
     * created, or none.
     */
    @Post
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.SKU_CREATE)
    HttpResponse<List<Sku>> create(Caller caller, @Body @BodyType(SkuOfPart[].class) JsonNode body) {
        Faults faults = new Faults();
        List<SkuOfPart> named = faults.readEach("", body, each -> reader.read(SkuOfPart.class, each));
        if (body.isArray() && body.size() == 0) {
            faults.add("", "invalid", "the body must name at least one part");
        }
        faults.check();
        return JsonResponses.created(database.in(caller, tx -> {
            List<String> ids = Id.generateAscending(named.size());
            for (int i = 0; i < ids.size(); i++) {
                String id = ids.get(i);
                SkuOfPart each = named.get(i);
                faults.read("[" + i + "]", () -> createSku(tx, caller, id, each));
            }
            faults.check();
            return skus.table().get(tx, ids, skus.table().secretVisibility(caller));
        }));
    }

    private Sku createSku(Tx tx, Caller caller, String id, SkuOfPart named) {
        Part part = parts.find(tx, named.partId())
                .orElseThrow(() -> ProblemException.invalid("partId", "unknown", "there is no part " + named.partId()));
        Map<String, String> texts = Map.of("sku", named.skuName(), "title", named.skuName());
        Sku sku = skus.parseNew(tx.store(), reader.toTree(texts), Map.of("id", id));
        skus.create(tx, caller, sku);
        Map<String, Object> once = Map.of(
                "partId", part.id(),
                "label", part.name(),
                "quantity", 1,
                "parameters", List.of(),
                "exposedParameters", List.of());
        linkedParts.replace(tx, caller, id, reader.toTree(List.of(once)));
        return sku;
    }
}
