package farm.gantry.api.build;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Json;
import farm.gantry.api.Needs;
import farm.gantry.api.RecordReader;
import farm.gantry.api.resource.ReadRoutes;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.store.Database;
import farm.gantry.build.PartBuild;
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
    private final Database database;
    private final Archive archive;
    private final RecordReader reader;

    PartBuilds(ResourceFactory factory, Database database, Archive archive, RecordReader reader) {
        super(factory.of(PartBuild.class, "part build"));
        this.database = database;
        this.archive = archive;
        this.reader = reader;
    }

    /** Takes the builds out of sight, and those of their jobs that are over; all of them or none. */
    @Patch("/archive")
    @Needs(Permission.JOB_DELETE)
    HttpResponse<List<PartBuild>> archive(Caller caller, @Body @As(Archiving.class) JsonNode body) {
        return Resources.ok(archived(caller, body));
    }

    /**
     * Does what archiving does.
     *
     * @deprecated {@code PATCH /v1/part-builds/archive} took its place
     */
    @Deprecated
    @Post("/dismiss")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.JOB_DELETE)
    HttpResponse<List<PartBuild>> dismiss(Caller caller, @Body @As(Archiving.class) JsonNode body) {
        return Resources.created(archived(caller, body));
    }

    private Json<List<PartBuild>> archived(Caller caller, JsonNode body) {
        List<String> ids = reader.read(Archiving.class, body).ids();
        return database.in(caller.store(), tx -> {
            archive.partBuilds(tx, ids);
            return resources.table().get(tx, ids, Resources.shown(caller));
        });
    }
}
