package farm.gantry.api.build;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.RecordReader;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Tables;
import farm.gantry.build.SkuBuild;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;

/** Builds of SKUs are made by {@code /v2/builds}, read here with their part builds, and put away when they are over. */
@Controller("/v1/sku-builds")
@ExecuteOn(TaskExecutors.BLOCKING)
final class SkuBuilds {
    private final Resources<SkuBuild> builds;
    private final Archive archive;
    private final Database database;
    private final RecordReader reader;

    SkuBuilds(Tables tables, Archive archive, Database database, RecordReader reader) {
        this.builds = tables.resource(SkuBuild.class, "SKU build");
        this.archive = archive;
        this.database = database;
        this.reader = reader;
    }

    @Get
    @Needs(Permission.QUEUE_VIEW)
    HttpResponse<List<SkuBuild>> list(Caller caller, HttpRequest<?> request) {
        return builds.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.QUEUE_VIEW)
    HttpResponse<SearchResponse<SkuBuild>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return builds.search(caller, request, body);
    }

    @Get("/{id}")
    @Needs(Permission.QUEUE_VIEW)
    HttpResponse<SkuBuild> get(Caller caller, String id, HttpRequest<?> request) {
        return builds.get(caller, id, request);
    }

    /** Takes the builds out of sight with their part builds, and those of their jobs that are over; all of them or none. */
    @Patch("/archive")
    @Needs(Permission.JOB_DELETE)
    HttpResponse<List<SkuBuild>> archive(Caller caller, @Body @As(Archiving.class) JsonNode body) {
        List<String> ids = reader.read(Archiving.class, body).ids();
        return Resources.ok(database.in(caller.store(), tx -> {
            archive.skuBuilds(tx, ids);
            return builds.table().get(tx, ids, Resources.shown(caller));
        }));
    }
}
