package farm.gantry.api.store;

import farm.gantry.Permission;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.profile.ProfileChangeListener;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.store.StoreSettings;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The settings of the caller's store. */
@Controller("/v1/settings/store")
@Blocking
final class StoreSettingsRoutes {
    private final Resources<StoreSettings> settings;

    StoreSettingsRoutes(ResourceFactory factory, ProfileChangeListener changes, Scheduler scheduler) {
        this.settings = factory.of(StoreSettings.class, "store").followedBy((tx, before, after) -> {
            if (!slicingSettings(before).equals(slicingSettings(after))) {
                changes.onChange(tx);
            }
            tx.afterCommit(() -> scheduler.trigger(tx.store()));
        });
    }

    /** Returns the settings of the store. */
    @Get
    @RequiresPermission(Permission.SETTINGS_VIEW)
    HttpResponse<StoreSettings> get(Caller caller, HttpRequest<?> request) {
        return settings.get(caller, caller.store().value(), request);
    }

    /**
     * Changes the settings of the store. Only the fields in the body change. If slicing settings change, waiting jobs
     * are sliced again.
     */
    @Patch
    @RequiresPermission(Permission.SETTINGS_EDIT)
    HttpResponse<StoreSettings> patch(
            Caller caller, IfMatch ifMatch, @Body @BodyType(StoreSettings.class) JsonNode body) {
        return settings.patch(caller, caller.store().value(), ifMatch, body);
    }

    /** Returns the default slicing settings of the stores. */
    private static List<?> slicingSettings(List<StoreSettings> stores) {
        return stores.stream()
                .flatMap(store -> Stream.of(
                        Optional.ofNullable(store.defaultMachineProfileId()),
                        Optional.ofNullable(store.defaultProcessProfileId()),
                        Optional.ofNullable(store.defaultFilamentProfileId()),
                        Optional.ofNullable(store.slicer())))
                .toList();
    }
}
