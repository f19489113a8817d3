package farm.gantry.api.part;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Tables;
import farm.gantry.part.PartMaterialAssignment;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;

/** What parts are printed with; it is changed with the part. */
@Controller("/v1/part-material-assignments")
@ExecuteOn(TaskExecutors.BLOCKING)
final class PartMaterialAssignments {
    private final Resources<PartMaterialAssignment> assignments;

    PartMaterialAssignments(Tables tables) {
        this.assignments = tables.resource(PartMaterialAssignment.class, "part material assignment");
    }

    @Get
    @Needs(Permission.PART_VIEW)
    HttpResponse<List<PartMaterialAssignment>> list(Caller caller, HttpRequest<?> request) {
        return assignments.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.PART_VIEW)
    HttpResponse<SearchResponse<PartMaterialAssignment>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return assignments.search(caller, request, body);
    }

    @Get("/{id}")
    @Needs(Permission.PART_VIEW)
    HttpResponse<PartMaterialAssignment> get(Caller caller, String id, HttpRequest<?> request) {
        return assignments.get(caller, id, request);
    }
}
