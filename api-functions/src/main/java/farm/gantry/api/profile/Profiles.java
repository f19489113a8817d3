package farm.gantry.api.profile;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Tables;
import farm.gantry.profile.Profile;
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

/** A slicer's settings; those that a record of the farm names stay. */
@Controller("/v1/profiles")
@ExecuteOn(TaskExecutors.BLOCKING)
final class Profiles {
    private final Resources<Profile> profiles;

    Profiles(Tables tables, ProfileSettings settings) {
        this.profiles = tables.resource(Profile.class, "profile")
                .checkedBy(settings::checked)
                .followedBy(settings::follow);
    }

    @Get
    @Needs(Permission.PROFILE_VIEW)
    HttpResponse<List<Profile>> list(Caller caller, HttpRequest<?> request) {
        return profiles.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.PROFILE_VIEW)
    HttpResponse<SearchResponse<Profile>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return profiles.search(caller, request, body);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.PROFILE_CREATE)
    HttpResponse<Profile> create(Caller caller, @Body @As(Profile.class) JsonNode body) {
        return profiles.create(caller, body, Map.of());
    }

    @Get("/{id}")
    @Needs(Permission.PROFILE_VIEW)
    HttpResponse<Profile> get(Caller caller, String id, HttpRequest<?> request) {
        return profiles.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.PROFILE_EDIT)
    HttpResponse<Profile> patch(Caller caller, String id, @Body @As(Profile.class) JsonNode body) {
        return profiles.patch(caller, id, body);
    }

    @Patch
    @Needs(Permission.PROFILE_EDIT)
    HttpResponse<List<Profile>> patchAll(Caller caller, @Body @As(BulkPatch.class) JsonNode body) {
        return profiles.patchAll(caller, body, (_, _, changed) -> changed);
    }

    @Delete
    @Needs(Permission.PROFILE_DELETE)
    HttpResponse<List<String>> deleteAll(Caller caller, @Body @As(String[].class) JsonNode body) {
        return profiles.deleteAll(caller, body);
    }

    @Delete("/{id}")
    @Needs(Permission.PROFILE_DELETE)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        return profiles.delete(caller, id);
    }
}
