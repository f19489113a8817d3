package farm.gantry.api.printer;

import farm.gantry.Permission;
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
import farm.gantry.api.profile.ProfileSettings;
import farm.gantry.api.profile.SlicerBundles;
import farm.gantry.api.resource.Answers;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.schedule.WithdrawnStarts;
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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a person does to several printers at once: to all of them, or to none where one is unknown. */
@Controller("/v1")
@Blocking
final class PrinterOperations {
    private static final List<String> PROFILES =
            List.of("machineUserProfileId", "machineSystemProfileId", "processUserProfileId", "processSystemProfileId");

    private final PrinterRules rules;
    private final Resources<Printer> resource;
    private final Table<Printer> printers;
    private final Database database;
    private final RecordReader reader;
    private final SlicerBundles bundles;
    private final ProfileSettings profiles;
    private final Webhooks webhooks;
    private final PrinterReadiness readiness;
    private final BedClearing bedClearing;
    private final WithdrawnStarts starts;
    private final Scheduler scheduler;
    private final AgentSignals agents;

    PrinterOperations(
            PrinterRules rules,
            Database database,
            RecordReader reader,
            SlicerBundles bundles,
            ProfileSettings profiles,
            Webhooks webhooks,
            PrinterReadiness readiness,
            BedClearing bedClearing,
            WithdrawnStarts starts,
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
    record EnabledConfig(@Size(min = 1, max = 1000) List<String> ids, boolean enabled) {}

    /** Without {@code jobLimit} it goes on until something ends it. */
    @Serdeable
    record ContinuousPrintConfig(
            @Size(min = 1, max = 1000) List<String> ids,
            boolean enabled,
            @Nullable @Min(1) Integer jobLimit) {}

    @Serdeable
    record MaintenanceMode(@Size(min = 1, max = 1000) List<String> printerIds, boolean enabled) {}

    @Serdeable
    record Renaming(@NotBlank String name) {}

    /** What is not named stays as it is. */
    @Serdeable
    record SetProviderConfig(
            @Size(min = 1, max = 1000) List<String> printerIds,
            @Nullable ProviderConfig providerConfig,
            @Nullable String machineUserProfileId,
            @Nullable Long machineSystemProfileId,
            @Nullable String processUserProfileId,
            @Nullable Long processSystemProfileId) {}

    /**
     * A person has seen the beds: they are clear, or they are not. 409, with each refused printer under
     * {@code details} and nothing changed, where one prints, is paused or in fault, or its state is unknown. A printer out of
     * reach is ready once it is seen to have begun no print since. A print that was sent to a bed which is not clear is taken back.
     */
    @Patch("/printers/confirm-ready")
    @RequiresPermission(Permission.PRINTER_READY)
    HttpResponse<List<Printer>> confirmReady(Caller caller, @Body @BodyType(ConfirmReadyRequest.class) JsonNode body) {
        ConfirmReadyRequest asked = reader.read(ConfirmReadyRequest.class, body);
        return answered(caller, asked.ids(), (tx, named) -> {
            readiness.setReady(tx, named, asked.ready());
            if (!asked.ready()) {
                bedClearing.cancel(tx, ids(named));
                named.forEach(printer -> starts.takeBack(tx, printer));
            }
        });
    }

    @Patch("/printers/enabled")
    @RequiresPermission(Permission.PRINTER_CONTROL)
    HttpResponse<List<Printer>> enable(Caller caller, @Body @BodyType(EnabledConfig.class) JsonNode body) {
        EnabledConfig asked = reader.read(EnabledConfig.class, body);
        return answered(caller, asked.ids(), (tx, named) -> {
            printers.changeAll(tx, Map.of(), ids(named), Map.of("enabled", asked.enabled()));
            if (asked.enabled()) {
                readiness.endHolds(tx, ids(named));
            } else {
                named.forEach(printer -> starts.takeBack(tx, printer));
            }
        });
    }

    /**
     * Switches continuous printing: after each job the printer clears its bed by the {@code bed_clearing} macro of its model.
     * 409, with each refused printer under {@code details} and nothing changed, where one has no such macro or cannot run it.
     */
    @Patch(uris = {"/printers/continous-print", "/printers/continuous-print"})
    @RequiresPermission({Permission.PRINTER_CONFIG, Permission.PRINTER_READY})
    HttpResponse<List<Printer>> continuousPrint(
            Caller caller, @Body @BodyType(ContinuousPrintConfig.class) JsonNode body) {
        ContinuousPrintConfig asked = reader.read(ContinuousPrintConfig.class, body);
        Map<String, @Nullable Object> changes = new HashMap<>();
        changes.put("continuousPrint", asked.enabled());
        changes.put("continuousRemainingJobs", asked.enabled() ? asked.jobLimit() : null);
        return answered(caller, asked.ids(), (tx, named) -> {
            if (asked.enabled()) {
                bedClearing.checkAble(tx, named);
            }
            printers.changeAll(tx, Map.of(), ids(named), changes);
            if (!asked.enabled()) {
                bedClearing.cancel(tx, ids(named));
            }
        });
    }

    /** A printer in maintenance takes no work; subscribers are told of those that change. */
    @Patch("/maintenance/mode")
    @RequiresPermission(Permission.MAINTENANCE_EDIT)
    HttpResponse<List<Printer>> maintain(Caller caller, @Body @BodyType(MaintenanceMode.class) JsonNode body) {
        MaintenanceMode asked = reader.read(MaintenanceMode.class, body);
        String since = asked.enabled() ? "lastMaintenanceOfflineAt" : "lastMaintenanceOnlineAt";
        EventName event = asked.enabled() ? EventName.onMaintenanceModeOn : EventName.onMaintenanceModeOff;
        return answered(caller, asked.printerIds(), (tx, named) -> {
            List<Printer> others = named.stream()
                    .filter(printer -> printer.isInMaintenance() != asked.enabled())
                    .toList();
            printers.changeAll(
                    tx, Map.of(), ids(others), Map.of("isInMaintenance", asked.enabled(), since, Resources.now()));
            if (asked.enabled()) {
                bedClearing.cancel(tx, ids(others));
                others.forEach(printer -> starts.takeBack(tx, printer));
            }
            webhooks.emitAll(
                    tx,
                    event,
                    others.stream()
                            .map(printer -> new Webhooks.Subject(printer.id(), null))
                            .toList());
        });
    }

    /** What the printers print with: options of their make, and the profiles their files are sliced for. */
    @Patch("/printers/set-config")
    @RequiresPermission(Permission.PRINTER_CONFIG)
    HttpResponse<List<Printer>> setConfig(Caller caller, @Body @BodyType(SetProviderConfig.class) JsonNode body) {
        SetProviderConfig asked = reader.read(SetProviderConfig.class, body);
        Faults faults = new Faults();
        faults.read("", () -> bundles.checked(body, "machineSystemProfileId", Profile.Type.machine));
        faults.read("", () -> bundles.checked(body, "processSystemProfileId", Profile.Type.process));
        faults.check();
        Map<String, @Nullable Object> changes = new HashMap<>();
        for (String name : PROFILES) {
            JsonNode value = body.get(name);
            if (value != null) {
                changes.put(name, value.getValue());
            }
        }
        return answered(caller, asked.printerIds(), (tx, named) -> {
            if (!changes.isEmpty()) {
                printers.changeAll(tx, Map.of(), ids(named), changes);
            }
            if (body.get("providerConfig") != null) {
                Map<Optional<Printer.Provider>, List<Printer>> makes = named.stream()
                        .collect(Collectors.groupingBy(printer -> Optional.ofNullable(printer.provider())));
                makes.forEach((provider, some) -> printers.changeAll(
                        tx,
                        Map.of(),
                        ids(some),
                        Collections.singletonMap(
                                "providerConfig", withDefaults(asked.providerConfig(), provider.orElse(null)))));
            }
            Map<String, Printer> changed = printers.findAll(tx, ids(named));
            rules.check(
                    tx,
                    List.copyOf(changed.values()),
                    named.stream().collect(Collectors.toMap(Printer::id, Function.identity())));
            profiles.refreshBeds(tx, List.copyOf(changed.values()));
            for (Printer printer : named) {
                Printer now = Objects.requireNonNull(changed.get(printer.id()));
                if (PrinterRules.isOtherKind(printer, now)) {
                    starts.unassign(tx, now);
                }
            }
        });
    }

    /** The settings over the defaults of the make. */
    private @Nullable Map<String, Object> withDefaults(
            @Nullable ProviderConfig config, Printer.@Nullable Provider provider) {
        return config == null
                ? null
                : MergePatch.apply(
                        provider == null ? Map.of() : provider.make().providerConfig(),
                        Tree.object(reader.tree(config).getValue()));
    }

    @Patch("/printers/{id}/rename")
    @RequiresPermission(Permission.PRINTER_EDIT)
    HttpResponse<Printer> rename(
            Caller caller, String id, IfMatch ifMatch, @Body @BodyType(Renaming.class) JsonNode body) {
        Renaming asked = reader.read(Renaming.class, body);
        Resources.checked(id);
        RawJson<Printer> renamed = database.in(caller, tx -> {
            if (printers.lock(tx, id).isEmpty()) {
                throw ProblemException.notFound("printer");
            }
            ProblemException.throwIfStale(resource.isStale(tx, caller, id, ifMatch));
            printers.change(tx, id, Map.of(), Map.of("name", asked.name()));
            return printers.get(tx, id, printers.shown(caller)).orElseThrow();
        });
        changed(caller);
        return Answers.ok(renamed);
    }

    private static List<String> ids(List<Printer> printers) {
        return printers.stream().map(Printer::id).toList();
    }

    private HttpResponse<List<Printer>> answered(
            Caller caller, List<String> ids, BiConsumer<Tx, List<Printer>> change) {
        HttpResponse<List<Printer>> answer = resource.changeNamed(caller, ids, change);
        changed(caller);
        return answer;
    }

    private void changed(Caller caller) {
        scheduler.trigger(caller.store());
        agents.signal(caller.store());
    }
}
