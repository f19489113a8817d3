package farm.gantry.api.profile;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.Problem;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.material.Material;
import farm.gantry.material.MaterialVariant;
import farm.gantry.part.Part;
import farm.gantry.printer.Printer;
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
import java.util.function.Function;
import java.util.stream.Stream;

/** A slicer's settings; those that a record of the farm names stay. */
@Controller("/v1/profiles")
@ExecuteOn(TaskExecutors.BLOCKING)
final class Profiles {
    private static final String NOUN = "profile";

    private final Resources<Profile> profiles;
    private final Table<Profile> table;
    private final Database database;
    private final List<Use<?>> uses;

    Profiles(Tables tables, Database database) {
        this.profiles = tables.resource(Profile.class, NOUN);
        this.table = profiles.table();
        this.database = database;
        this.uses = List.of(
                new Use<>("printer", tables.of(Printer.class), "machineUserProfileId", Printer::id),
                new Use<>("printer", tables.of(Printer.class), "processUserProfileId", Printer::id),
                new Use<>("part", tables.of(Part.class), "overriddenProcessProfileId", Part::id),
                new Use<>("material", tables.of(Material.class), "filamentUserProfileId", Material::id),
                new Use<>(
                        "material variant",
                        tables.of(MaterialVariant.class),
                        "filamentUserProfileId",
                        MaterialVariant::id));
    }

    /** A column in which records name a profile. */
    private record Use<R>(String noun, Table<R> table, String column, Function<R, String> id) {
        /** Some of those that name this one: enough to find the rest by. */
        Stream<String> of(Tx tx, String profile) {
            ListQuery naming = ListQuery.of(table.columns(), Map.of(column, List.of(profile), "limit", List.of("10")));
            return table.find(tx, naming).stream().map(user -> noun + " " + id.apply(user));
        }
    }

    @Get
    @Needs(Permission.PROFILE_VIEW)
    HttpResponse<List<Profile>> list(Caller caller, HttpRequest<?> request) {
        return profiles.list(caller, request);
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

    @Delete("/{id}")
    @Needs(Permission.PROFILE_DELETE)
    List<String> delete(Caller caller, String id) {
        return database.in(caller.store(), tx -> {
            if (table.lock(tx, Resources.checked(id)).isEmpty()) {
                throw Problem.NotFound.of(NOUN);
            }
            List<String> users =
                    uses.stream().flatMap(use -> use.of(tx, id)).distinct().toList();
            if (!users.isEmpty()) {
                throw Problem.Conflict.of("the profile is used by " + String.join(", ", users));
            }
            return table.delete(tx, List.of(id));
        });
    }
}
