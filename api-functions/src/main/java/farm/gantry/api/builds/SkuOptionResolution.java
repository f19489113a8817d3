package farm.gantry.api.builds;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.builds.BuildPlan;
import farm.gantry.sku.Sku;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Objects;

/** Resolves chosen options of SKUs. */
@Controller("/v1/skus/{id}/resolve")
@Blocking
final class SkuOptionResolution {
    private static final String PATH = "skus[0].";

    private final BuildPlanner planner;
    private final Table<Sku> skus;
    private final Database database;
    private final RecordReader reader;

    SkuOptionResolution(BuildPlanner planner, Tables tables, Database database, RecordReader reader) {
        this.planner = planner;
        this.skus = tables.of(Sku.class);
        this.database = database;
        this.reader = reader;
    }

    /**
     * Resolves the chosen options of a SKU. Returns each linked part as a build of one of the SKU would print it.
     * Nothing is queued.
     */
    @Post
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.SKU_VIEW)
    ResolvedChoice resolve(Caller caller, String id, @Body @BodyType(ResolvedChoice.Choice.class) JsonNode body) {
        Resources.parseId(id);
        ResolvedChoice.Choice choice = reader.read(ResolvedChoice.Choice.class, body);
        try {
            return database.in(caller, tx -> resolveChoice(tx, id, choice));
        } catch (ProblemException refused) {
            throw refused.mapPaths(path -> path.startsWith(PATH) ? path.substring(PATH.length()) : path);
        }
    }

    private ResolvedChoice resolveChoice(Tx tx, String id, ResolvedChoice.Choice choice) {
        if (skus.find(tx, id).isEmpty()) {
            throw ProblemException.notFound("SKU");
        }
        List<BuildPlan> plans = planner.plan(
                tx,
                BuildRequest.of(
                        List.of(),
                        List.of(BuildRequest.RequestedSku.of(id, choice.optionValueIds(), choice.personalization()))));
        return new ResolvedChoice(
                id,
                plans.stream()
                        .flatMap(plan -> plan.parts().stream())
                        .map(part -> ResolvedChoice.ResolvedPart.of(
                                Objects.requireNonNull(part.linkedPart()).id(), part))
                        .toList());
    }
}
