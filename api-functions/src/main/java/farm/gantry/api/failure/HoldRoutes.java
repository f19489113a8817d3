package farm.gantry.api.failure;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.job.lifecycle.OutOfService;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.part.Part;
import farm.gantry.printer.Printer;
import farm.gantry.store.StoreSettings;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The routes that set and release holds: quarantined printers, parts on hold and the paused queue. */
@Controller("/v1")
@Blocking
final class HoldRoutes {
    private static final String BY_HAND = "Set without a reason.";

    private final Resources<Printer> printers;
    private final Resources<Part> parts;
    private final Table<StoreSettings> settings;
    private final OutOfService holds;
    private final Database database;
    private final RecordReader reader;
    private final Scheduler scheduler;

    HoldRoutes(
            ResourceFactory resources,
            Tables tables,
            OutOfService holds,
            Database database,
            RecordReader reader,
            Scheduler scheduler) {
        this.printers = resources.of(Printer.class, "printer");
        this.parts = resources.of(Part.class, "part");
        this.settings = tables.of(StoreSettings.class);
        this.holds = holds;
        this.database = database;
        this.reader = reader;
        this.scheduler = scheduler;
    }

    @Serdeable
    record PrinterQuarantine(
            @Size(min = 1, max = 1000) List<String> ids,
            boolean quarantined,
            @Nullable @Size(max = 2000) String reason) {}

    @Serdeable
    record PartHold(
            @Size(min = 1, max = 1000) List<String> ids,
            boolean held,
            @Nullable @Size(max = 2000) String reason) {}

    @Serdeable
    record QueuePause(
            boolean paused, @Nullable @Size(max = 2000) String reason) {}

    /** Whether the queue is paused; {@code since} and {@code reason} are null while it is not. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record QueueState(
            boolean paused,
            @Nullable Instant since,
            @Nullable String reason) {}

    /** Sets or ends the quarantine of printers. Printers in quarantine get no jobs; a running print continues. */
    @Patch("/printers/quarantine")
    @RequiresPermission(Permission.PRINTER_CONTROL)
    HttpResponse<List<Printer>> quarantine(Caller caller, @Body @BodyType(PrinterQuarantine.class) JsonNode body) {
        PrinterQuarantine request = reader.read(PrinterQuarantine.class, body);
        return changeAll(caller, printers, request.ids(), (tx, named) -> {
            if (request.quarantined()) {
                holds.quarantinePrinters(tx, named, reason(request.reason()), null);
            } else {
                holds.endQuarantine(tx, named);
            }
        });
    }

    /** Sets or ends the hold of parts. Parts on hold are not printed; running prints continue. */
    @Patch("/parts/hold")
    @RequiresPermission(Permission.PART_EDIT)
    HttpResponse<List<Part>> hold(Caller caller, @Body @BodyType(PartHold.class) JsonNode body) {
        PartHold request = reader.read(PartHold.class, body);
        return changeAll(caller, parts, request.ids(), (tx, named) -> {
            if (request.held()) {
                holds.holdParts(tx, named, reason(request.reason()));
            } else {
                holds.releaseParts(tx, named);
            }
        });
    }

    /** Returns whether the queue is paused, since when and why. */
    @Get("/queue")
    @RequiresPermission(Permission.QUEUE_VIEW)
    QueueState queue(Caller caller) {
        return database.in(caller, this::state);
    }

    /**
     * Pauses or resumes the queue of the store. While it is paused no job is assigned or started; running prints
     * continue.
     */
    @Patch("/queue")
    @RequiresPermission(Permission.QUEUE_MANAGE)
    QueueState pause(Caller caller, @Body @BodyType(QueuePause.class) JsonNode body) {
        QueuePause request = reader.read(QueuePause.class, body);
        QueueState state = database.in(caller, tx -> {
            if (request.paused()) {
                holds.pauseQueue(tx, reason(request.reason()), null);
            } else {
                holds.resumeQueue(tx);
            }
            return state(tx);
        });
        scheduler.trigger(caller.store());
        return state;
    }

    private QueueState state(Tx tx) {
        StoreSettings store = settings.find(tx, tx.store().value()).orElseThrow();
        return new QueueState(store.queuePausedAt() != null, store.queuePausedAt(), store.queuePausedReason());
    }

    private static String reason(@Nullable String given) {
        return given == null || given.isBlank() ? BY_HAND : given;
    }

    private <R> HttpResponse<List<R>> changeAll(
            Caller caller, Resources<R> resources, List<String> ids, BiConsumer<Tx, List<R>> change) {
        HttpResponse<List<R>> changed = resources.changeAll(caller, ids, change);
        scheduler.trigger(caller.store());
        return changed;
    }
}
