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
import farm.gantry.api.profile.ProfileSettings;
import farm.gantry.api.profile.SlicerBundles;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.schedule.AgentSignals;
import farm.gantry.api.schedule.Beds;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Devices;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
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
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Printers: registered many at once, or none of them. */
@Controller("/v1/printers")
@ExecuteOn(TaskExecutors.BLOCKING)
final class Printers {
    private static final String NOUN = "printer";

    private static final JsonNode VENDOR_A = JsonNode.createStringNode(Printer.Provider.vendorA.wire());

    private final Resources<Printer> printers;
    private final Table<Printer> table;
    private final Database database;
    private final Devices devices;
    private final ModelCatalogue models;
    private final SlicerBundles bundles;
    private final ProfileSettings profiles;
    private final Beds beds;
    private final Scheduler scheduler;
    private final AgentSignals agents;
    private final SecretDestination secrets;

    Printers(
            Tables tables,
            Database database,
            Devices devices,
            ModelCatalogue models,
            SlicerBundles bundles,
            ProfileSettings profiles,
            Beds beds,
            Scheduler scheduler,
            AgentSignals agents,
            RecordReader reader) {
        this.printers =
                tables.resource(Printer.class, NOUN).checkedBy(this::checked).followedBy(this::follow);
        this.table = printers.table();
        this.database = database;
        this.devices = devices;
        this.models = models;
        this.bundles = bundles;
        this.profiles = profiles;
        this.beds = beds;
        this.scheduler = scheduler;
        this.agents = agents;
        this.secrets = new SecretDestination(
                reader,
                Set.copyOf(table.columns().find("metadata").orElseThrow().sealedKeys()));
    }

    private Printer checked(Tx tx, Printer printer) {
        profiles.check(tx, printer.machineUserProfileId(), "machineUserProfileId", Profile.Type.machine);
        profiles.check(tx, printer.processUserProfileId(), "processUserProfileId", Profile.Type.process);
        if (table.find(tx, printer.id())
                .filter(before -> profilesOf(before).equals(profilesOf(printer)))
                .isEmpty()) {
            profiles.checkNozzle(tx, printer);
        }
        return printer;
    }

    private static List<?> profilesOf(Printer printer) {
        return Arrays.asList(
                printer.machineUserProfileId(),
                printer.machineSystemProfileId(),
                printer.processUserProfileId(),
                printer.processSystemProfileId());
    }

    /** A printer with a job on it stays; one that goes leaves its device free. */
    private void follow(Tx tx, List<Printer> before, List<Printer> after) {
        if (after.isEmpty()) {
            before.forEach(printer -> {
                if (printer.printingJobId() != null) {
                    throw Problem.Conflict.of("printer " + printer.id() + " has print job " + printer.printingJobId());
                }
                if (printer.deviceId() != null) {
                    devices.release(tx, printer.deviceId());
                }
            });
        }
        profiles.refreshBeds(
                tx,
                after.stream()
                        .filter(printer -> before.stream().noneMatch(old -> hasSameProfile(old, printer)))
                        .toList());
        after.stream()
                .filter(printer -> before.stream().anyMatch(old -> isOtherMachine(old, printer)))
                .forEach(printer -> beds.used(tx, printer.id()));
    }

    /** Nobody has said anything of the bed of a machine that takes the place of another. */
    private static boolean isOtherMachine(Printer before, Printer after) {
        return before.id().equals(after.id())
                && !(Objects.equals(before.deviceId(), after.deviceId()) && before.provider() == after.provider());
    }

    private static boolean hasSameProfile(Printer before, Printer after) {
        return before.id().equals(after.id())
                && Objects.equals(before.machineUserProfileId(), after.machineUserProfileId())
                && Objects.equals(before.machineSystemProfileId(), after.machineSystemProfileId());
    }

    @Get
    @Needs(Permission.PRINTER_VIEW)
    HttpResponse<List<Printer>> list(Caller caller, HttpRequest<?> request) {
        return printers.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.PRINTER_VIEW)
    HttpResponse<SearchResponse<Printer>> search(
            Caller caller, HttpRequest<?> request, @Body @As(Search.class) JsonNode body) {
        return printers.search(caller, request, body);
    }

    /** Registers them; a device that any store has already refuses them all and is named. */
    @Put
    @Needs(Permission.PRINTER_CREATE)
    HttpResponse<List<Printer>> register(Caller caller, @Body @As(Printer[].class) JsonNode body) {
        if (!body.isArray() || body.size() == 0) {
            throw Problem.Invalid.of("", "type", "the body must be an array of at least one printer");
        }
        Json<List<Printer>> answer = database.in(caller.store(), tx -> {
            Faults faults = new Faults();
            List<Printer> made = faults.each("", body, each -> record(tx, caller, each));
            faults.check();
            List<String> taken = made.stream()
                    .filter(printer -> printer.deviceId() != null)
                    .filter(printer -> !devices.claim(tx, Objects.requireNonNull(printer.deviceId()), printer.id()))
                    .map(printer -> Objects.requireNonNull(printer.deviceId()))
                    .distinct()
                    .toList();
            if (!taken.isEmpty()) {
                throw new Refused(new Problem.DevicesTaken(taken));
            }
            table.insertAll(tx, made, Resources.shown(caller));
            follow(tx, List.of(), made);
            return Json.array(made.stream()
                    .map(printer ->
                            table.get(tx, printer.id(), Resources.shown(caller)).orElseThrow())
                    .toList());
        });
        changed(caller);
        return Resources.ok(answer);
    }

    /** The printer an element of the body describes, with all that is wrong with it. */
    private Printer record(Tx tx, Caller caller, JsonNode body) {
        Faults faults = new Faults();
        faults.read("", () -> reviewed(body));
        Optional<Printer> read = faults.read("", () -> {
            JsonNode whole = completed(tx, withProvider(body));
            JsonNode provider = whole.isObject() ? whole.get("provider") : null;
            Map<String, ?> system = VENDOR_A.equals(provider)
                    ? Map.of("providerConfig", ProviderConfig.NOTHING_SAID.of(Printer.Provider.vendorA))
                    : Map.of();
            return checked(tx, printers.record(caller.store(), whole, system));
        });
        faults.check();
        return read.orElseThrow();
    }

    /** Looks at what a record cannot say of itself: the shapes of the patches, and the slicers' numbers. */
    private JsonNode reviewed(JsonNode body) {
        Faults faults = new Faults();
        PatchShapes.check(body, faults);
        faults.read("", () -> bundles.checked(body, "machineSystemProfileId", Profile.Type.machine));
        faults.read("", () -> bundles.checked(body, "processSystemProfileId", Profile.Type.process));
        faults.check();
        return body;
    }

    /** A model's names come with its number, unless the body says them. */
    private JsonNode completed(Tx tx, JsonNode body) {
        JsonNode number = body.isObject() ? body.get("vendorModelId") : null;
        if (number == null || !number.isNumber() || body.get("modelName") != null) {
            return body;
        }
        return models.find(tx, number.getLongValue())
                .map(model -> {
                    JsonNode named = RecordReader.with(body, "modelName", JsonNode.createStringNode(model.modelName()));
                    return body.get("vendorName") != null
                            ? named
                            : RecordReader.with(named, "vendorName", JsonNode.createStringNode(model.vendorName()));
                })
                .orElse(body);
    }

    /** A printer's provider is its metadata's, unless it is said. */
    private static JsonNode withProvider(JsonNode body) {
        JsonNode metadata = body.isObject() ? body.get("metadata") : null;
        if (metadata == null || !metadata.isObject() || body.get("provider") != null) {
            return body;
        }
        JsonNode provider = metadata.get("provider");
        return RecordReader.with(body, "provider", provider == null ? VENDOR_A : provider);
    }

    @Get("/{id}")
    @Needs(Permission.PRINTER_VIEW)
    HttpResponse<Printer> get(Caller caller, String id, HttpRequest<?> request) {
        return printers.get(caller, id, request);
    }

    @Patch("/{id}")
    @Needs(Permission.PRINTER_EDIT)
    HttpResponse<Printer> patch(Caller caller, String id, @Body @As(Printer.class) JsonNode body) {
        Resources.checked(id);
        Json<Printer> answer = database.in(
                caller.store(), tx -> printers.patch(tx, caller, id, completed(tx, reviewed(body)), movedBy(caller)));
        changed(caller);
        return Resources.ok(answer);
    }

    @Patch
    @Needs(Permission.PRINTER_EDIT)
    HttpResponse<List<Printer>> patchAll(Caller caller, @Body @As(BulkPatch.class) JsonNode body) {
        JsonNode update = body.isObject() ? body.get("update") : null;
        if (update != null && update.isObject()) {
            Faults faults = new Faults();
            faults.read("update", () -> reviewed(update));
            faults.check();
        }
        HttpResponse<List<Printer>> answer = printers.patchAll(caller, body, movedBy(caller));
        changed(caller);
        return answer;
    }

    private Resources.Rule<Printer> movedBy(Caller caller) {
        return (tx, before, printer) -> {
            secrets.check(caller, before, printer);
            return reclaimed(tx, before, printer);
        };
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

    @Delete("/{id}")
    @Needs(Permission.PRINTER_DELETE)
    HttpResponse<List<String>> delete(Caller caller, String id) {
        HttpResponse<List<String>> answer = printers.delete(caller, id);
        changed(caller);
        return answer;
    }

    @Delete
    @Needs(Permission.PRINTER_DELETE)
    HttpResponse<List<String>> deleteAll(Caller caller, @Body @As(String[].class) JsonNode body) {
        HttpResponse<List<String>> answer = printers.deleteAll(caller, body);
        changed(caller);
        return answer;
    }

    private void changed(Caller caller) {
        scheduler.wake(caller.store());
        agents.of(caller.store()).give();
    }
}
