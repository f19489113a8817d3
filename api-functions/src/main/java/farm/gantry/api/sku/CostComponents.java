package farm.gantry.api.sku;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.store.Costs;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Tables;
import farm.gantry.sku.CostComponent;
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

/** What SKUs cost beside their filament, by the unit. */
@Controller("/v1/cost-components")
@ExecuteOn(TaskExecutors.BLOCKING)
final class CostComponents {
    private final Resources<CostComponent> components;

    CostComponents(Tables tables, Costs costs) {
        this.components =
                tables.resource(CostComponent.class, "cost component").followedBy((tx, _, _) -> costs.refreshAll(tx));
    }

    @Get
    @Needs(Permission.SKU_VIEW)
    HttpResponse<List<CostComponent>> list(Caller caller, HttpRequest<?> request) {
        return components.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.SKU_VIEW)
    HttpResponse<SearchResponse<CostComponent>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return components.search(caller, request, body);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.SKU_EDIT)
    HttpResponse<CostComponent> create(Caller caller, @Body @As(CostComponent.class) JsonNode body) {
        return components.create(caller, body, Map.of());
    }

    @Get("/{id}")
    @Needs(Permission.SKU_VIEW)
    HttpResponse<CostComponent> get(Caller caller, String id, HttpRequest<?> request) {
        return components.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.SKU_EDIT)
    HttpResponse<CostComponent> patch(Caller caller, String id, @Body @As(CostComponent.class) JsonNode body) {
        return components.patch(caller, id, body);
    }

    @Patch
    @Needs(Permission.SKU_EDIT)
    HttpResponse<List<CostComponent>> patchAll(Caller caller, @Body @As(BulkPatch.class) JsonNode body) {
        return components.patchAll(caller, body, (_, _, changed) -> changed);
    }

    @Delete
    @Needs(Permission.SKU_EDIT)
    HttpResponse<List<String>> deleteAll(Caller caller, @Body @As(String[].class) JsonNode body) {
        return components.deleteAll(caller, body);
    }

    @Delete("/{id}")
    @Needs(Permission.SKU_EDIT)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        return components.delete(caller, id);
    }
}
