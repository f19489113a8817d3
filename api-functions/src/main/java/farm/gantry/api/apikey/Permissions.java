package farm.gantry.api.apikey;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.store.StoreSettings;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Arrays;
import java.util.List;

/** All permissions, and those of the caller. */
@Controller
@Blocking
final class Permissions {
    private final Table<StoreSettings> stores;
    private final Database database;

    Permissions(Tables tables, Database database) {
        this.stores = tables.of(StoreSettings.class);
        this.database = database;
    }

    /** The caller's store and permissions. */
    @Serdeable
    record CallerInfo(CallerStore store, List<String> permissions) {}

    @Serdeable
    record CallerStore(String id, String name, String timezone, String currency) {}

    /** Returns all permissions that a key can have. */
    @Get("/v1/permissions/types")
    @RequiresPermission({})
    List<String> types(Caller caller) {
        return Arrays.stream(Permission.values()).map(Permission::wireName).toList();
    }

    /** Returns the store and the permissions of the caller. */
    @Get("/v1/web-init")
    @RequiresPermission({})
    CallerInfo start(Caller caller) {
        String id = caller.store().value();
        StoreSettings store =
                database.in(caller, tx -> stores.find(tx, id).orElseThrow(() -> ProblemException.notFound("store")));
        return new CallerInfo(
                new CallerStore(id, store.name(), store.timezone(), store.currency()),
                Arrays.stream(Permission.values())
                        .filter(caller::hasPermission)
                        .map(Permission::wireName)
                        .toList());
    }
}
