package farm.gantry.api.builds;

import farm.gantry.Permission;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.ReadRoutes;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.builds.SkuBuild;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Patch;
import io.micronaut.json.tree.JsonNode;
import java.util.List;

/** Builds of SKUs are made by {@code /v2/builds}, read here with their part builds, and put away when they are over. */
@Controller("/v1/sku-builds")
final class SkuBuilds extends ReadRoutes<SkuBuild> {
    private final BuildArchiver archive;

    SkuBuilds(ResourceFactory factory, BuildArchiver archive) {
        super(factory.of(SkuBuild.class, "SKU build"));
        this.archive = archive;
    }

    /**
     * Archives SKU builds. Lists no longer show them, nor their part builds and the jobs that are over. All are
     * archived, or none.
     */
    @Patch("/archive")
    @RequiresPermission(Permission.JOB_DELETE)
    HttpResponse<List<SkuBuild>> archive(Caller caller, @Body @BodyType(ArchiveRequest.class) JsonNode body) {
        return JsonResponses.ok(archive.archiveSkuBuilds(caller, body));
    }
}
