package farm.gantry.api.printer;

import farm.gantry.Permission;
import farm.gantry.api.csv.CsvImports;
import farm.gantry.api.csv.ImportResult;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.CsvResponses;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.profile.SlicerBundles;
import farm.gantry.api.resource.ChangeRoutes;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterMetadata;
import farm.gantry.printer.ProviderDefinition;
import farm.gantry.profile.Profile;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.json.tree.JsonNode;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Printers. One request registers many, or none if one is invalid. */
@Controller("/v1/printers")
final class Printers extends ChangeRoutes<Printer> {
    private static final JsonNode DEFAULT_PROVIDER = JsonNode.createStringNode(Printer.Provider.DEFAULT.wireName());

    private final Table<Printer> table;
    private final Database database;
    private final PrinterModelCatalogue models;
    private final SlicerBundles bundles;
    private final PrinterRules rules;
    private final RecordReader reader;
    private final SecretDestinationCheck secrets;
    private final CsvImports imports;

    Printers(
            Database database,
            PrinterModelCatalogue models,
            SlicerBundles bundles,
            PrinterRules rules,
            RecordReader reader,
            CsvImports imports) {
        super(rules.resource());
        this.table = resources.table();
        this.database = database;
        this.models = models;
        this.bundles = bundles;
        this.rules = rules;
        this.reader = reader;
        this.imports = imports;
        this.secrets = new SecretDestinationCheck(
                reader, table.columns().get(Printer::metadata).encryptedKeys());
    }

    /**
     * Registers printers. 409 if a device is already registered, in any store; {@code conflicts} names it and no
     * printer is registered.
     */
    @Put
    @RequiresPermission(Permission.PRINTER_CREATE)
    HttpResponse<List<Printer>> register(Caller caller, @Body @BodyType(Printer[].class) JsonNode body) {
        if (!body.isArray() || body.size() == 0) {
            throw ProblemException.invalid("", "type", "the body must be an array of at least one printer");
        }
        RawJson<List<Printer>> answer = database.in(caller, tx -> {
            List<String> ids = register(tx, caller, body);
            Map<String, RawJson<Printer>> kept = table.getAll(tx, ids, table.secretVisibility(caller));
            return RawJson.array(
                    ids.stream().map(id -> Objects.requireNonNull(kept.get(id))).toList());
        });
        return JsonResponses.ok(answer);
    }

    /**
     * Registers printers from CSV, all of the file or none. The first line names the columns: fields of a printer, with
     * a dot for those of {@code metadata}, such as {@code metadata.host}. Columns that only the server sets are ignored.
     * With {@code dryRun=true}, nothing is stored; every faulty cell is named.
     */
    @Post("/import")
    @Consumes({CsvResponses.CSV, MediaType.ALL})
    @RequiresPermission(Permission.PRINTER_CREATE)
    ImportResult importCsv(
            Caller caller,
            HttpRequest<?> request,
            @Nullable @Body InputStream body,
            @QueryValue(defaultValue = "false") boolean dryRun) {
        return imports.create(
                caller, request, body, dryRun, Printer.class, (tx, printers) -> register(tx, caller, printers));
    }

    private List<String> register(Tx tx, Caller caller, JsonNode bodies) {
        Faults faults = new Faults();
        List<Printer> made = faults.readEach("", bodies, each -> parsePrinter(tx, caller, each));
        for (int i = 0; i < bodies.size(); i++) {
            resources.addUnknown(tx, faults, "[" + i + "]", bodies.get(i));
        }
        faults.check();
        rules.claimDevices(tx, made);
        table.insertAll(tx, made, table.secretVisibility(caller));
        rules.onChange(tx, List.of(), made);
        return made.stream().map(Printer::id).toList();
    }

    /** Parses one element of the body; throws with all its faults. */
    private Printer parsePrinter(Tx tx, Caller caller, JsonNode body) {
        Faults faults = new Faults();
        faults.read("", () -> validatePrinter(body));
        Optional<Printer> read = faults.read("", () -> {
            JsonNode whole = withModelNames(tx, withProvider(body));
            JsonNode provider = whole.get("provider");
            Printer made = resources.parseNew(caller.store(), whole, defaultSettings(provider));
            rules.check(tx, List.of(made), Map.of());
            checkProvider(made);
            return made;
        });
        faults.check();
        return read.orElseThrow();
    }

    /** Returns the default settings of the provider's printers. */
    private static Map<String, ?> defaultSettings(@Nullable JsonNode provider) {
        ProviderDefinition make =
                provider == null ? null : Printer.Provider.MAKES.get(String.valueOf(provider.getValue()));
        return make == null || make.providerConfig().isEmpty()
                ? Map.of()
                : Map.of("providerConfig", make.providerConfig());
    }

    /** Validates what a record cannot check itself: the merge patches and the model numbers. */
    private JsonNode validatePrinter(JsonNode body) {
        Faults faults = new Faults();
        PrinterPatchValidator.check(body, faults);
        faults.read("", () -> bundles.validate(body, "machineSystemProfileId", Profile.Type.machine));
        faults.read("", () -> bundles.validate(body, "processSystemProfileId", Profile.Type.process));
        faults.check();
        return body;
    }

    private JsonNode validateChange(JsonNode body) {
        Faults faults = new Faults();
        faults.read("", () -> reader.checkPatch(Printer.class, body));
        faults.read("", () -> validatePrinter(body));
        faults.check();
        return body;
    }

    /** Fills in the names of the model from its number, unless the body sets them. */
    private JsonNode withModelNames(Tx tx, JsonNode body) {
        JsonNode number = body.get("vendorModelId");
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

    /** Fills in the provider from the metadata, unless the body sets it. */
    private static JsonNode withProvider(JsonNode body) {
        JsonNode metadata = body.get("metadata");
        if (metadata == null || !metadata.isObject() || body.get("provider") != null) {
            return body;
        }
        JsonNode provider = metadata.get("provider");
        return RecordReader.with(body, "provider", provider == null ? DEFAULT_PROVIDER : provider);
    }

    @Override
    public HttpResponse<Printer> patch(Caller caller, String id, IfMatch ifMatch, JsonNode body) {
        Resources.parseId(id);
        return JsonResponses.ok(database.in(
                caller,
                tx -> resources.patch(
                        tx, caller, id, ifMatch, withModelNames(tx, validateChange(body)), rule(caller, body))));
    }

    @Override
    public HttpResponse<List<Printer>> patchAll(Caller caller, JsonNode body) {
        JsonNode update = body.get("update");
        if (update == null || !update.isObject()) {
            return super.patchAll(caller, body);
        }
        Faults faults = new Faults();
        faults.read("update", () -> validateChange(update));
        faults.check();
        return JsonResponses.ok(database.in(
                caller,
                tx -> resources.patchAll(
                        tx,
                        caller,
                        RecordReader.with(body, "update", withModelNames(tx, update)),
                        rule(caller, update))));
    }

    @Override
    protected Resources.ChangeRule<Printer> rule(Caller caller, @Nullable JsonNode update) {
        return (_, before, printer) -> {
            if (printer.enabled() != before.enabled()) {
                caller.requirePermission(Permission.PRINTER_CONTROL);
            }
            if (!PrinterRules.profilesOf(printer).equals(PrinterRules.profilesOf(before))) {
                caller.requirePermission(Permission.PRINTER_CONFIG);
            }
            secrets.check(caller, before, printer);
            if (printer.provider() != before.provider() || !Objects.equals(printer.metadata(), before.metadata())) {
                checkProvider(printer);
            }
            return printer;
        };
    }

    /** Rejects a printer whose provider and metadata contradict each other. */
    private static void checkProvider(Printer printer) {
        Printer.Provider provider = printer.provider();
        PrinterMetadata metadata = printer.metadata();
        if (provider != null && metadata != null && !metadata.make().equals(provider.wireName())) {
            throw ProblemException.invalid(
                    "provider",
                    "invalid",
                    "provider is " + provider.wireName() + ", but metadata is that of " + metadata.make());
        }
    }
}
