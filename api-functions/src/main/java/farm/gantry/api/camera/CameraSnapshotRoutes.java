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

/** Camera snapshots of printers. */
@Controller("/v1/printers")
@Blocking
final class CameraSnapshotRoutes {
    private final CameraSnapshots stills;

    CameraSnapshotRoutes(CameraSnapshots stills) {
        this.stills = stills;
    }

    /**
     * Returns the latest snapshot of a printer's camera. {@code X-Picture-Age} is its age in seconds. 202 while the
     * first one is fetched: retry after {@code Retry-After}. 404 with the reason if there is none, for example because
     * the printer has no camera. Snapshots are 320 pixels wide unless {@code full} is set. They are renewed every five
     * seconds while somebody requests them, and deleted some minutes after the last request.
     */
    @Get(value = "/{id}/snapshot", produces = MediaType.IMAGE_JPEG)
    @RequiresPermission(Permission.PRINTER_VIEW)
    HttpResponse<byte[]> snapshot(Caller caller, String id, @QueryValue(defaultValue = "false") boolean full) {
        return stills.snapshotResponse(caller, id, full);
    }

    /**
     * Returns the camera snapshots of printers. {@code ids} are up to 100 ids, separated by commas. It counts as one
     * request of the rate limit.
     */
    @Get("/snapshots")
    @RequiresPermission(Permission.PRINTER_VIEW)
    List<CameraSnapshots.Snapshot> snapshots(Caller caller, @QueryValue String ids) {
        return stills.findSnapshots(caller, ids);
    }
}
