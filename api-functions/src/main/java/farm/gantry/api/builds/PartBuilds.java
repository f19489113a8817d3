package farm.gantry.api.builds;

import farm.gantry.Permission;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.ReadRoutes;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.builds.PartBuild;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import java.util.List;

/** Part builds are made by {@code /v2/builds}, read here, and put away when they are over. */
@Controller("/v1/part-builds")
final class PartBuilds extends ReadRoutes<PartBuild> {
    private final BuildArchiver archive;

    PartBuilds(ResourceFactory factory, BuildArchiver archive) {
        super(factory.of(PartBuild.class, "part build"));
        this.archive = archive;
    }

    /** Archives part builds. Lists no longer show them, nor their jobs that are over. All are archived, or none. */
    @Patch("/archive")
    @RequiresPermission(Permission.JOB_DELETE)
    HttpResponse<List<PartBuild>> archive(Caller caller, @Body @BodyType(ArchiveRequest.class) JsonNode body) {
        return JsonResponses.ok(archive.archivePartBuilds(caller, body));
    }

    /**
     * Archives part builds, as {@code PATCH /v1/part-builds/archive} does.
     *
     * @deprecated {@code PATCH /v1/part-builds/archive} took its place
     */
    @Deprecated
    @Post("/dismiss")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.JOB_DELETE)
    HttpResponse<List<PartBuild>> dismiss(Caller caller, @Body @BodyType(ArchiveRequest.class) JsonNode body) {
        return JsonResponses.created(archive.archivePartBuilds(caller, body));
    }
}
