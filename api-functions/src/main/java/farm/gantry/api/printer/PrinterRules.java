package farm.gantry.api.printer;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.JobRows;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.printer.command.AgentSignals;
import farm.gantry.api.printer.readiness.PrinterReadiness;
import farm.gantry.api.profile.ProfileResolver;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.schedule.StartWithdrawal;
import farm.gantry.printer.Printer;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Validation of printers, and the consequences of changing them. */
@Singleton
final class PrinterRules {
    private static final int MAX_NAMED_JOBS = 10;

    private final Resources<Printer> resource;
    private final Table<Printer> table;
    private final DeviceClaimRows devices;
    private final PrinterModelCatalogue models;
    private final ProfileResolver profiles;
    private final PrinterReadiness readiness;
    private final StartWithdrawal starts;
    private final Scheduler scheduler;
    private final AgentSignals agents;
    private final RecordReader reader;

    PrinterRules(
            ResourceFactory factory,
            JobRows jobRows,
            DeviceClaimRows devices,
            PrinterModelCatalogue models,
            ProfileResolver profiles,
            PrinterReadiness readiness,
            StartWithdrawal starts,
            Scheduler scheduler,
            AgentSignals agents,
            RecordReader reader) {
        this.resource = factory.of(Printer.class, "printer")
                .lockedBy(jobRows::lockJobsAtPrinters)
                .checkedTogetherBy(this::checkAll)
                .followedBy(this::onChange);
        this.table = resource.table();
        this.devices = devices;
        this.models = models;
        this.profiles = profiles;
        this.readiness = readiness;
        this.starts = starts;
        this.scheduler = scheduler;
        this.agents = agents;
        this.reader = reader;
    }

    /** Returns the resource, which locks the printers' jobs before the printers. */
    Resources<Printer> resource() {
        return resource;
    }

    private List<Printer> checkAll(Tx tx, List<Printer> printers) {
        Map<String, Printer> stored =
                table.findAll(tx, printers.stream().map(Printer::id).toList());
        check(tx, printers, stored);
        List<Printer> before = new ArrayList<>();
        List<Printer> after = new ArrayList<>();
        for (Printer printer : printers) {
            Printer old = stored.get(printer.id());
            if (old != null && !Objects.equals(old.deviceId(), printer.deviceId())) {
                before.add(old);
                after.add(printer);
            }
        }
        devices.release(tx, before);
        claimDevices(tx, after);
        return printers;
    }

    /** Claims the printers' devices; fails with 409 if another printer, of any store, has one of them. */
    void claimDevices(Tx tx, List<Printer> printers) {
        List<String> taken = devices.claim(tx, printers).stream().distinct().toList();
        if (!taken.isEmpty()) {
            throw new ProblemException(new Problem.DevicesAlreadyRegistered(taken));
        }
    }

    /**
     * Rejects profiles and models that a printer cannot have. Values that the stored printer already has are not
     * checked.
     */
    void check(Tx tx, List<Printer> printers, Map<String, Printer> stored) {
        printersWithChanged(printers, stored, PrinterRules::profilesOf).forEach(printer -> profiles.checkNozzle(tx, printer));
        printersWithChanged(printers, stored, Printer::vendorModelId)
                .map(Printer::vendorModelId)
                .filter(Objects::nonNull)
                .forEach(number -> models.checkExists(tx, number));
    }

    /** Returns one printer per distinct changed value. */
    private static Stream<Printer> printersWithChanged(
            List<Printer> printers, Map<String, Printer> stored, Function<Printer, @Nullable Object> value) {
        Map<Optional<Object>, Printer> others = new LinkedHashMap<>();
        for (Printer printer : printers) {
            Printer before = stored.get(printer.id());
            if (before == null || !Objects.equals(value.apply(before), value.apply(printer))) {
                others.putIfAbsent(Optional.ofNullable(value.apply(printer)), printer);
            }
        }
        return others.values().stream();
    }

    static List<?> profilesOf(Printer printer) {
        return Arrays.asList(
                printer.machineUserProfileId(),
                printer.machineSystemProfileId(),
                printer.processUserProfileId(),
                printer.processSystemProfileId());
    }

    /**
     * Applies the consequences of a change: rejects the deletion of a printer with a job, releases devices of deleted
     * printers, and wakes the scheduler.
     */
    void onChange(Tx tx, List<Printer> before, List<Printer> after) {
        if (after.isEmpty()) {
            List<String> taken = before.stream()
                    .filter(printer -> printer.printingJobId() != null)
                    .map(printer -> "printer " + printer.id() + " has print job " + printer.printingJobId())
                    .limit(MAX_NAMED_JOBS)
                    .toList();
            if (!taken.isEmpty()) {
                throw ProblemException.conflict(String.join(", ", taken));
            }
            devices.release(tx, before);
        }
        profiles.refreshBeds(
                tx,
                after.stream()
                        .filter(printer -> before.stream().noneMatch(old -> hasSameProfile(old, printer)))
                        .toList());
        after.stream()
                .filter(printer -> before.stream().anyMatch(old -> isReplaced(old, printer)))
                .forEach(printer -> readiness.onReplaced(tx, printer.id(), "another machine or agent is in its place"));
        after.stream()
                .filter(printer -> before.stream().anyMatch(old -> invalidatesSlices(old, printer)))
                .forEach(printer -> starts.unassign(tx, printer));
        after.stream().filter(printer -> !printer.enabled()).forEach(printer -> starts.withdraw(tx, printer));
        tx.afterCommit(() -> {
            scheduler.trigger(tx.store());
            agents.signal(tx.store());
        });
    }

    /** Whether the machine or its agent was replaced. Then the state of the bed is unknown. */
    private boolean isReplaced(Printer before, Printer after) {
        Set<String> moved = before.id().equals(after.id()) ? SecretDestinationCheck.changedDestinationFields(reader, before, after) : Set.of();
        return !moved.isEmpty() && !(moved.equals(Set.of("proxyClientId")) && before.proxyClientId() == null);
    }

    /** Whether the change can invalidate slices or choices made for the printer. */
    static boolean invalidatesSlices(Printer before, Printer after) {
        return before.id().equals(after.id())
                && !(before.provider() == after.provider()
                        && Objects.equals(before.modelName(), after.modelName())
                        && before.nozzleDiameter().equals(after.nozzleDiameter())
                        && profilesOf(before).equals(profilesOf(after)));
    }

    private static boolean hasSameProfile(Printer before, Printer after) {
        return before.id().equals(after.id())
                && Objects.equals(before.machineUserProfileId(), after.machineUserProfileId())
                && Objects.equals(before.machineSystemProfileId(), after.machineSystemProfileId());
    }
}
