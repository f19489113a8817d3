package farm.gantry.api.camera;

import farm.gantry.Permission;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import java.util.List;

/** Stills of the printers' cameras. */
@Controller("/v1/printers")
@Blocking
final class Snapshots {
    private final Stills stills;

    Snapshots(Stills stills) {
        this.stills = stills;
    }

    /**
     * What the printer's camera shows: its last still, and in {@code X-Picture-Age} how many seconds ago it came. 202 while
     * the first is fetched: ask again after {@code Retry-After}. 404 says why there is none, as of a printer without a camera.
     * Stills are 320 pixels wide unless they are to be {@code full}, renewed every five seconds while somebody asks
     * for them, and deleted some minutes after.
     */
    @Get(value = "/{id}/snapshot", produces = MediaType.IMAGE_JPEG)
    @RequiresPermission(Permission.PRINTER_VIEW)
    HttpResponse<byte[]> snapshot(Caller caller, String id, @QueryValue(defaultValue = "false") boolean full) {
        return stills.one(caller, id, full);
    }

    /** The same of up to 100 printers at once, whose ids are separated by commas: one request of the rate limit. */
    @Get("/snapshots")
    @RequiresPermission(Permission.PRINTER_VIEW)
    List<Stills.Snapshot> snapshots(Caller caller, @QueryValue String ids) {
        return stills.tiles(caller, ids);
    }
}
