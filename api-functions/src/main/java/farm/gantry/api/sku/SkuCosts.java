package farm.gantry.api.sku;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.Problem;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.store.Costs;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.sku.Sku;
import farm.gantry.sku.SkuCost;
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
import java.util.stream.Stream;

/** How much of which cost component goes into a SKU, and all that it costs. */
@Controller("/v1/sku-costs")
@ExecuteOn(TaskExecutors.BLOCKING)
final class SkuCosts {
    private final Resources<SkuCost> skuCosts;
    private final Table<Sku> skus;
    private final Database database;
    private final Costs costs;

    SkuCosts(Tables tables, Database database, Costs costs) {
        this.skuCosts = tables.resource(SkuCost.class, "SKU cost")
                .followedBy((tx, before, after) -> costs.refresh(
                        tx,
                        Stream.concat(before.stream(), after.stream())
                                .map(SkuCost::skuId)
                                .toList()));
        this.skus = tables.of(Sku.class);
        this.database = database;
        this.costs = costs;
    }

    @Get
    @Needs(Permission.SKU_VIEW)
    HttpResponse<List<SkuCost>> list(Caller caller, HttpRequest<?> request) {
        return skuCosts.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.SKU_VIEW)
    HttpResponse<SearchResponse<SkuCost>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return skuCosts.search(caller, request, body);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.SKU_EDIT)
    HttpResponse<SkuCost> create(Caller caller, @Body @As(SkuCost.class) JsonNode body) {
        return skuCosts.create(caller, body, Map.of());
    }

    @Get("/{id}")
    @Needs(Permission.SKU_VIEW)
    HttpResponse<SkuCost> get(Caller caller, String id, HttpRequest<?> request) {
        return skuCosts.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.SKU_EDIT)
    HttpResponse<SkuCost> patch(Caller caller, String id, @Body @As(SkuCost.class) JsonNode body) {
        return skuCosts.patch(caller, id, body);
    }

    @Patch
    @Needs(Permission.SKU_EDIT)
    HttpResponse<List<SkuCost>> patchAll(Caller caller, @Body @As(BulkPatch.class) JsonNode body) {
        return skuCosts.patchAll(caller, body, (_, _, changed) -> changed);
    }

    @Delete
    @Needs(Permission.SKU_EDIT)
    HttpResponse<List<String>> deleteAll(Caller caller, @Body @As(String[].class) JsonNode body) {
        return skuCosts.deleteAll(caller, body);
    }

    @Delete("/{id}")
    @Needs(Permission.SKU_EDIT)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        return skuCosts.delete(caller, id);
    }

    @Get("/breakdown/{skuId}")
    @Needs(Permission.SKU_VIEW)
    Costs.Breakdown breakdown(Caller caller, String skuId) {
        return database.in(caller.store(), tx -> {
            Sku sku = skus.find(tx, Resources.checked(skuId)).orElseThrow(() -> Problem.NotFound.of("SKU"));
            return costs.breakdown(tx, skuId, sku.totalCogs());
        });
    }
}
