package farm.gantry.api.material;

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
import farm.gantry.material.MaterialVariant;
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
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The colours a material comes in. */
@Controller("/v1/materials/variants")
@ExecuteOn(TaskExecutors.BLOCKING)
final class MaterialVariants {
    private final Resources<MaterialVariant> variants;

    MaterialVariants(Tables tables, Costs costs) {
        this.variants = tables.resource(MaterialVariant.class, "material variant")
                .followedBy((tx, before, after) -> {
                    if (!prices(before).equals(prices(after))) {
                        costs.refreshAll(tx);
                    }
                });
    }

    /** Whether a variant has a price of its own or its material's, it may be one that something is printed with. */
    private record Price(
            String id, String materialId, @Nullable Integer per1000g) {}

    private static Set<Price> prices(List<MaterialVariant> variants) {
        return variants.stream()
                .map(variant -> new Price(variant.id(), variant.materialId(), variant.pricePer1000g()))
                .collect(Collectors.toSet());
    }

    @Get
    @Needs(Permission.MATERIAL_VIEW)
    HttpResponse<List<MaterialVariant>> list(Caller caller, HttpRequest<?> request) {
        return variants.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.MATERIAL_VIEW)
    HttpResponse<SearchResponse<MaterialVariant>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return variants.search(caller, request, body);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.MATERIAL_CREATE)
    HttpResponse<MaterialVariant> create(Caller caller, @Body @As(MaterialVariant.class) JsonNode body) {
        return variants.create(caller, body, Map.of());
    }

    @Get("/{id}")
    @Needs(Permission.MATERIAL_VIEW)
    HttpResponse<MaterialVariant> get(Caller caller, String id, HttpRequest<?> request) {
        return variants.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.MATERIAL_EDIT)
    HttpResponse<MaterialVariant> patch(Caller caller, String id, @Body @As(MaterialVariant.class) JsonNode body) {
        return variants.patch(caller, id, body);
    }

    @Patch
    @Needs(Permission.MATERIAL_EDIT)
    HttpResponse<List<MaterialVariant>> patchAll(Caller caller, @Body @As(BulkPatch.class) JsonNode body) {
        return variants.patchAll(caller, body, (_, _, changed) -> changed);
    }

    @Delete
    @Needs(Permission.MATERIAL_DELETE)
    HttpResponse<List<String>> deleteAll(Caller caller, @Body @As(String[].class) JsonNode body) {
        return variants.deleteAll(caller, body);
    }

    @Delete("/{id}")
    @Needs(Permission.MATERIAL_DELETE)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        return variants.delete(caller, id);
    }
}
