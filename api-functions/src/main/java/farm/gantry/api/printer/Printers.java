package farm.gantry.api.printer;

import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Faults;
import farm.gantry.api.Json;
import farm.gantry.api.Needs;
import farm.gantry.api.Problem;
import farm.gantry.api.RecordReader;
import farm.gantry.api.Refused;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.schedule.AgentSignals;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Devices;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.printer.Printer;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Printers: registered many at once, or none of them. */
@Controller("/v1/printers")
@ExecuteOn(TaskExecutors.BLOCKING)
final class Printers {
    private static final String NOUN = "printer";

    private final Resources<Printer> printers;
    private final Table<Printer> table;
    private final Database database;
    private final Devices devices;
    private final RecordReader reader;
    private final Scheduler scheduler;
    private final AgentSignals agents;

    Printers(
            Tables tables,
            Database database,
            Devices devices,
            RecordReader reader,
            Scheduler scheduler,
            AgentSignals agents) {
        this.printers = tables.resource(Printer.class, NOUN);
        this.table = printers.table();
        this.database = database;
        this.devices = devices;
        this.reader = reader;
        this.scheduler = scheduler;
        this.agents = agents;
    }

    @Get
    @Needs(Permission.PRINTER_VIEW)
    HttpResponse<List<Printer>> list(Caller caller, HttpRequest<?> request) {
        return printers.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.PRINTER_VIEW)
    HttpResponse<SearchResponse<Printer>> search(Caller caller, @Body @As(Search.class) JsonNode body) {
        return printers.search(caller, body);
    }

    /** Registers them; a device that any store has already refuses them all and is named. */
    @Put
    @Needs(Permission.PRINTER_CREATE)
    HttpResponse<List<Printer>> register(Caller caller, @Body @As(Printer[].class) JsonNode body) {
        if (!body.isArray() || body.size() == 0) {
            throw Problem.Invalid.of("", "type", "the body must be an array of at least one printer");
        }
        List<Printer> made = records(caller, body);
        Json<List<Printer>> answer = database.in(caller.store(), tx -> {
            List<String> taken = made.stream()
                    .filter(printer -> printer.deviceId() != null)
                    .filter(printer -> !devices.claim(tx, Objects.requireNonNull(printer.deviceId()), printer.id()))
                    .map(printer -> Objects.requireNonNull(printer.deviceId()))
                    .distinct()
                    .toList();
            if (!taken.isEmpty()) {
                throw new Refused(new Problem.DevicesTaken(taken));
            }
            return table.insertAll(tx, made, Resources.shown(caller));
        });
        changed(caller);
        return Resources.ok(answer);
    }

    private List<Printer> records(Caller caller, JsonNode body) {
        Faults faults = new Faults();
        List<Printer> made =
                faults.each("", body, each -> printers.record(caller.store(), withProvider(each), Map.of()));
        faults.check();
        return made;
    }

    /** A printer's provider is its metadata's, unless it is said. */
    private static JsonNode withProvider(JsonNode body) {
        JsonNode metadata = body.isObject() ? body.get("metadata") : null;
        if (metadata == null || !metadata.isObject() || body.get("provider") != null) {
            return body;
        }
        JsonNode provider = metadata.get("provider");
        return RecordReader.with(
                body,
                "provider",
                provider == null ? JsonNode.createStringNode(Printer.Provider.vendorA.wire()) : provider);
    }

    @Get("/{id}")
    @Needs(Permission.PRINTER_VIEW)
    HttpResponse<Printer> get(Caller caller, String id, HttpRequest<?> request) {
        return printers.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.PRINTER_EDIT)
    HttpResponse<Printer> patch(Caller caller, String id, @Body @As(Printer.class) JsonNode body) {
        HttpResponse<Printer> answer = printers.patch(caller, id, body, this::reclaimed);
        changed(caller);
        return answer;
    }

    private Printer reclaimed(Tx tx, Printer before, Printer printer) {
        if (!Objects.equals(before.deviceId(), printer.deviceId())) {
            if (before.deviceId() != null) {
                devices.release(tx, before.deviceId());
            }
            if (printer.deviceId() != null && !devices.claim(tx, printer.deviceId(), printer.id())) {
                throw new Refused(new Problem.DevicesTaken(List.of(printer.deviceId())));
            }
        }
        return printer;
    }

    /** A printer with a job on it stays. */
    @Delete("/{id}")
    @Needs(Permission.PRINTER_DELETE)
    List<String> delete(Caller caller, String id) {
        List<String> deleted = database.in(caller.store(), tx -> {
            Printer printer = table.lock(tx, Resources.checked(id)).orElseThrow(() -> Problem.NotFound.of(NOUN));
            if (printer.printingJobId() != null) {
                throw Problem.Conflict.of("the printer has print job " + printer.printingJobId());
            }
            if (printer.deviceId() != null) {
                devices.release(tx, printer.deviceId());
            }
            return table.delete(tx, List.of(id));
        });
        changed(caller);
        return deleted;
    }

    @Serdeable
    record Readiness(@Size(min = 1, max = 1000) List<String> ids, boolean ready) {}

    @Serdeable
    record Enabling(@Size(min = 1, max = 1000) List<String> ids, boolean enabled) {}

    /** A person has seen the beds: they are clear, or they are not. */
    @Patch("/confirm-ready")
    @Needs(Permission.PRINTER_READY)
    HttpResponse<List<Printer>> confirmReady(Caller caller, @Body @As(Readiness.class) JsonNode body) {
        Readiness asked = reader.read(Readiness.class, body);
        return changeAll(caller, asked.ids(), Map.of("confirmedReady", asked.ready()));
    }

    @Patch("/enabled")
    @Needs(Permission.PRINTER_CONTROL)
    HttpResponse<List<Printer>> enable(Caller caller, @Body @As(Enabling.class) JsonNode body) {
        Enabling asked = reader.read(Enabling.class, body);
        return changeAll(caller, asked.ids(), Map.of("enabled", asked.enabled()));
    }

    private HttpResponse<List<Printer>> changeAll(Caller caller, List<String> ids, Map<String, ?> changes) {
        Json<List<Printer>> answer = database.in(caller.store(), tx -> {
            List<String> missing = ids.stream()
                    .filter(id -> !table.change(tx, id, Map.of(), changes))
                    .toList();
            if (!missing.isEmpty()) {
                throw new Refused(new Problem.Missing(missing));
            }
            return table.get(tx, ids, Resources.shown(caller));
        });
        changed(caller);
        return Resources.ok(answer);
    }

    private void changed(Caller caller) {
        scheduler.wake(caller.store());
        agents.of(caller.store()).give();
    }
}
