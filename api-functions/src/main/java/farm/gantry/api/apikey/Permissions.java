package farm.gantry.api.apikey;

import farm.gantry.Permission;
import farm.gantry.api.Caller;
import farm.gantry.api.Needs;
import farm.gantry.api.store.Stores;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Arrays;
import java.util.List;

/** What there is to permit, and what a caller may. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
final class Permissions {
    private final Stores stores;

    Permissions(Stores stores) {
        this.stores = stores;
    }

    /** The caller's store and all that its key may do. */
    @Serdeable
    record Start(Store store, List<String> permissions) {}

    @Serdeable
    record Store(String id, String name) {}

    @Get("/v1/permissions/types")
    @Needs({})
    List<String> types(Caller caller) {
        return Arrays.stream(Permission.values()).map(Permission::wire).toList();
    }

    @Get("/v1/web-init")
    @Needs({})
    Start start(Caller caller) {
        return new Start(
                new Store(caller.store().value(), stores.name(caller.store())),
                Arrays.stream(Permission.values())
                        .filter(caller::holds)
                        .map(Permission::wire)
                        .toList());
    }
}
