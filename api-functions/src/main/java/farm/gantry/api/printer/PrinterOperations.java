package farm.gantry.api.printer;

import farm.gantry.Field;
import farm.gantry.Permission;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.printer.command.AgentSignals;
import farm.gantry.api.printer.readiness.BedClearing;
import farm.gantry.api.printer.readiness.PrinterReadiness;
import farm.gantry.api.profile.ProfileResolver;
import farm.gantry.api.profile.SlicerBundles;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.schedule.StartWithdrawal;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.json.MergePatch;
import farm.gantry.json.Tree;
import farm.gantry.notification.EventName;
import farm.gantry.printer.Printer;
import farm.gantry.profile.Profile;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Patch;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Operations on several printers at once. All are changed, or none if one is unknown. */
@Controller("/v1")
@Blocking
final class PrinterOperations {
    private final PrinterRules rules;
    private final Resources<Printer> resource;
    private final Table<Printer> printers;
    private final Database database;
    private final RecordReader reader;
    private final SlicerBundles bundles;
    private final ProfileResolver profiles;
    private final Webhooks webhooks;
    private final PrinterReadiness readiness;
    private final BedClearing bedClearing;
    private final StartWithdrawal starts;
    private final Scheduler scheduler;
    private final AgentSignals agents;

    PrinterOperations(
            PrinterRules rules,
            Database database,
            RecordReader reader,
            SlicerBundles bundles,
            ProfileResolver profiles,
            Webhooks webhooks,
            PrinterReadiness readiness,
            BedClearing bedClearing,
            StartWithdrawal starts,
            Scheduler scheduler,
            AgentSignals agents) {
        this.rules = rules;
        this.resource = rules.resource();
        this.printers = resource.table();
        this.database = database;
        this.reader = reader;
        this.bundles = bundles;
        this.profiles = profiles;
        this.webhooks = webhooks;
        this.readiness = readiness;
        this.bedClearing = bedClearing;
        this.starts = starts;
        this.scheduler = scheduler;
        this.agents = agents;
    }

    @Serdeable
    record ConfirmReadyRequest(@Size(min = 1, max = 1000) List<String> ids, boolean ready) {}

    @Serdeable
    record EnableRequest(@Size(min = 1, max = 1000) List<String> ids, boolean enabled) {}

    /** Without {@code jobLimit}, continuous printing runs until it is disabled or fails. */
    @Serdeable
    record ContinuousPrintRequest(
            @Size(min = 1, max = 1000) List<String> ids,
            boolean enabled,
            @Nullable @Min(1) Integer jobLimit) {}

    @Serdeable
    record MaintenanceRequest(@Size(min = 1, max = 1000) List<String> printerIds, boolean enabled) {}

    @Serdeable
    record RenameRequest(@NotBlank String name) {}

    /** Omitted fields stay unchanged. */
    @Serdeable
    record ProviderConfigRequest(
            @Size(min = 1, max = 1000) List<String> printerIds,
            @Nullable ProviderConfig providerConfig,
            @Nullable String machineUserProfileId,
            @Nullable Long machineSystemProfileId,
            @Nullable String processUserProfileId,
            @Nullable Long processSystemProfileId) {}

    /**
     * Confirms or withdraws that beds are clear. 409 with nothing changed if a printer prints, is paused, is in fault
     * or has an unknown state; {@code details} names each. An unreachable printer becomes ready once its next report
     * shows that it started no print since. A print that was sent to a bed which is not clear is withdrawn.
     */
    @Patch("/printers/confirm-ready")
    @RequiresPermission(Permission.PRINTER_READY)
    HttpResponse<List<Printer>> confirmReady(Caller caller, @Body @BodyType(ConfirmReadyRequest.class) JsonNode body) {
        ConfirmReadyRequest request = reader.read(ConfirmReadyRequest.class, body);
        return changeAndReturn(caller, request.ids(), (tx, named) -> {
            readiness.setReady(tx, named, request.ready());
            if (!request.ready()) {
                bedClearing.cancel(tx, ids(named));
                named.forEach(printer -> starts.withdraw(tx, printer));
            }
        });
    }

    /** Enables or disables printers. Disabled printers get no jobs; running prints continue. */
    @Patch("/printers/enabled")
    @RequiresPermission(Permission.PRINTER_CONTROL)
    HttpResponse<List<Printer>> enable(Caller caller, @Body @BodyType(EnableRequest.class) JsonNode body) {
        EnableRequest request = reader.read(EnableRequest.class, body);
        return changeAndReturn(caller, request.ids(), (tx, named) -> {
            printers.changeAll(tx, ids(named), new Change<Printer>().set(Printer::enabled, request.enabled()));
            if (request.enabled()) {
                readiness.endHolds(tx, ids(named));
            } else {
                named.forEach(printer -> starts.withdraw(tx, printer));
            }
        });
    }

    /**
     * Enables or disables continuous printing. After each job the printer clears its bed with the {@code bed_clearing}
     * macro of its model and starts the next job. 409 with nothing changed if a printer has no such macro or cannot run
     * it; {@code details} names each.
     */
    @Patch(uris = {"/printers/continous-print", "/printers/continuous-print"})
    @RequiresPermission({Permission.PRINTER_CONFIG, Permission.PRINTER_READY})
    HttpResponse<List<Printer>> continuousPrint(
            Caller caller, @Body @BodyType(ContinuousPrintRequest.class) JsonNode body) {
        ContinuousPrintRequest request = reader.read(ContinuousPrintRequest.class, body);
        Change<Printer> change = new Change<Printer>()
                .set(Printer::continuousPrint, request.enabled())
                .set(Printer::continuousRemainingJobs, request.enabled() ? request.jobLimit() : null);
        return changeAndReturn(caller, request.ids(), (tx, named) -> {
            if (request.enabled()) {
                bedClearing.checkAble(tx, named);
            } else {
                bedClearing.cancel(tx, ids(named));
            }
            printers.changeAll(tx, ids(named), change);
        });
    }

    /**
     * Enables or disables maintenance mode of printers. Printers in maintenance get no jobs. Subscribers receive an
     * event for each printer that changes.
     */
    @Patch("/maintenance/mode")
    @RequiresPermission(Permission.MAINTENANCE_EDIT)
    HttpResponse<List<Printer>> maintain(Caller caller, @Body @BodyType(MaintenanceRequest.class) JsonNode body) {
        MaintenanceRequest request = reader.read(MaintenanceRequest.class, body);
        Field<Printer> since = request.enabled() ? Printer::lastMaintenanceOfflineAt : Printer::lastMaintenanceOnlineAt;
        EventName event = request.enabled() ? EventName.onMaintenanceModeOn : EventName.onMaintenanceModeOff;
        return changeAndReturn(caller, request.printerIds(), (tx, named) -> {
            List<Printer> others = named.stream()
                    .filter(printer -> printer.isInMaintenance() != request.enabled())
                    .toList();
            printers.changeAll(
                    tx,
                    ids(others),
                    new Change<Printer>()
                            .set(Printer::isInMaintenance, request.enabled())
                            .set(since, Resources.now()));
            if (request.enabled()) {
                bedClearing.cancel(tx, ids(others));
                others.forEach(printer -> starts.withdraw(tx, printer));
            }
            webhooks.emitAll(
                    tx,
                    event,
                    others.stream()
                            .map(printer -> new Webhooks.Subject(printer.id(), null))
                            .toList());
        });
    }

    /** Sets provider options and the profiles that files are sliced with. */
    @Patch("/printers/set-config")
    @RequiresPermission(Permission.PRINTER_CONFIG)
    HttpResponse<List<Printer>> setConfig(Caller caller, @Body @BodyType(ProviderConfigRequest.class) JsonNode body) {
        ProviderConfigRequest request = reader.read(ProviderConfigRequest.class, body);
        Faults faults = new Faults();
        faults.read("", () -> bundles.validate(body, "machineSystemProfileId", Profile.Type.machine));
        faults.read("", () -> bundles.validate(body, "processSystemProfileId", Profile.Type.process));
        faults.check();
        Change<Printer> profilesChange = new Change<>();
        setIfNamed(profilesChange, body, Printer::machineUserProfileId, request.machineUserProfileId());
        setIfNamed(profilesChange, body, Printer::machineSystemProfileId, request.machineSystemProfileId());
        setIfNamed(profilesChange, body, Printer::processUserProfileId, request.processUserProfileId());
        setIfNamed(profilesChange, body, Printer::processSystemProfileId, request.processSystemProfileId());
        return changeAndReturn(caller, request.printerIds(), (tx, named) -> {
            if (!profilesChange.isEmpty()) {
                printers.changeAll(tx, ids(named), profilesChange);
            }
            if (body.get("providerConfig") != null) {
                Map<Optional<Printer.Provider>, List<Printer>> makes = named.stream()
                        .collect(Collectors.groupingBy(printer -> Optional.ofNullable(printer.provider())));
                makes.forEach((provider, some) -> printers.changeAll(
                        tx,
                        ids(some),
                        new Change<Printer>()
                                .set(
                                        Printer::providerConfig,
                                        withDefaults(request.providerConfig(), provider.orElse(null)))));
            }
            Map<String, Printer> changed = printers.findAll(tx, ids(named));
            rules.check(
                    tx,
                    List.copyOf(changed.values()),
                    named.stream().collect(Collectors.toMap(Printer::id, Function.identity())));
            profiles.refreshBeds(tx, List.copyOf(changed.values()));
            for (Printer printer : named) {
                Printer now = Objects.requireNonNull(changed.get(printer.id()));
                if (PrinterRules.invalidatesSlices(printer, now)) {
                    starts.unassign(tx, now);
                }
            }
        });
    }

    private static void setIfNamed(
            Change<Printer> change, JsonNode body, Field<Printer> field, @Nullable Object value) {
        if (body.get(field.name()) != null) {
            change.set(field, value);
        }
    }

    /** Returns the provider's default settings overlaid with the given ones. */
    private @Nullable Map<String, Object> withDefaults(
            @Nullable ProviderConfig config, Printer.@Nullable Provider provider) {
        return config == null
                ? null
                : MergePatch.apply(
                        provider == null ? Map.of() : provider.make().providerConfig(),
                        Tree.object(reader.toTree(config).getValue()));
    }

    /** Renames a printer. Returns 412 if the record no longer matches {@code If-Match}. */
    @Patch("/printers/{id}/rename")
    @RequiresPermission(Permission.PRINTER_EDIT)
    HttpResponse<Printer> rename(
            Caller caller, String id, IfMatch ifMatch, @Body @BodyType(RenameRequest.class) JsonNode body) {
        RenameRequest request = reader.read(RenameRequest.class, body);
        Resources.parseId(id);
        RawJson<Printer> renamed = database.in(caller, tx -> {
            if (printers.lock(tx, id).isEmpty()) {
                throw ProblemException.notFound("printer");
            }
            ProblemException.throwIfStale(resource.isStale(tx, caller, id, ifMatch));
            printers.change(tx, id, new Change<Printer>().set(Printer::name, request.name()));
            return printers.get(tx, id, printers.secretVisibility(caller)).orElseThrow();
        });
        afterChange(caller);
        return JsonResponses.ok(renamed);
    }

    private static List<String> ids(List<Printer> printers) {
        return printers.stream().map(Printer::id).toList();
    }

    private HttpResponse<List<Printer>> changeAndReturn(
            Caller caller, List<String> ids, BiConsumer<Tx, List<Printer>> change) {
        HttpResponse<List<Printer>> answer = resource.changeAll(caller, ids, change);
        afterChange(caller);
        return answer;
    }

    private void afterChange(Caller caller) {
        scheduler.trigger(caller.store());
        agents.signal(caller.store());
    }
}
