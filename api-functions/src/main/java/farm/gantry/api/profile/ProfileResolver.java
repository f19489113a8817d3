package farm.gantry.api.profile;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.query.Condition.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.ingest.bundle.ProfileCompatibility;
import farm.gantry.ingest.bundle.SystemProfile;
import farm.gantry.json.Tree;
import farm.gantry.printer.BedSize;
import farm.gantry.printer.PrintableArea;
import farm.gantry.printer.Printer;
import farm.gantry.profile.Profile;
import farm.gantry.wire.SliceSetup;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Resolves the settings of profiles by inheritance, and copies some of them to printers. */
@Singleton
public final class ProfileResolver {
    private static final int MAX_DEPTH = 20;

    private final Table<Profile> profiles;
    private final Table<Printer> printers;
    private final SlicerBundles bundles;

    ProfileResolver(Tables tables, SlicerBundles bundles) {
        this.profiles = tables.of(Profile.class);
        this.printers = tables.of(Printer.class);
        this.bundles = bundles;
    }

    /**
     * A profile with its inherited settings. {@code inherits} are the names of its ancestors, the nearest first. {@code missing} is the
     * first ancestor that neither the store nor an installed slicer has, else null. {@code slicer} and {@code vendorName} are those of the
     * first ancestor that is a slicer's profile.
     */
    @Serdeable
    public record ResolvedProfile(
            String name,
            Profile.Type type,
            List<String> inherits,
            @Nullable String missing,
            @Nullable String slicer,
            @Nullable String vendorName,
            Map<String, Object> settings) {}

    public ResolvedProfile resolve(SystemProfile profile) {
        return new ResolvedProfile(
                profile.name(),
                profile.type(),
                profile.inherits().reversed(),
                null,
                profile.slicer(),
                profile.vendorName(),
                bundles.all().settings(profile));
    }

    /** Resolves a profile of the store. Its parent is looked up by name and type, first in the store, then in the slicers. */
    public ResolvedProfile resolve(Tx tx, Profile profile) {
        return resolve(tx, profile, _ -> true);
    }

    /** Resolves a profile; {@code isTaken} decides whether a slicer's profile of that name is used or counts as missing. */
    private ResolvedProfile resolve(Tx tx, Profile profile, Predicate<String> isTaken) {
        List<Map<String, Object>> layers = new ArrayList<>(List.of(profile.data()));
        List<String> inherits = new ArrayList<>();
        String missing = null;
        Optional<SystemProfile> base = Optional.empty();
        String parent = profile.inherits();
        while (!parent.isBlank()) {
            if (inherits.size() == MAX_DEPTH || parent.equals(profile.name()) || inherits.contains(parent)) {
                throw ProblemException.invalid(
                        "inherits", "invalid", "inherits: the profile would inherit from itself through " + parent);
            }
            Optional<Profile> own = findByName(tx, profile.type(), parent);
            inherits.add(parent);
            if (own.isPresent()) {
                layers.add(own.get().data());
                parent = own.get().inherits();
            } else {
                base = Optional.of(parent)
                        .filter(isTaken)
                        .flatMap(name -> bundles.all().findByName(profile.type(), name));
                base.ifPresent(brought -> {
                    layers.add(bundles.all().settings(brought));
                    inherits.addAll(brought.inherits().reversed());
                });
                missing = base.isPresent() ? null : parent;
                break;
            }
        }
        Map<String, Object> settings = new LinkedHashMap<>();
        layers.reversed().forEach(settings::putAll);
        settings.remove("inherits");
        return new ResolvedProfile(
                profile.name(),
                profile.type(),
                inherits,
                missing,
                base.map(SystemProfile::slicer).orElse(null),
                base.map(SystemProfile::vendorName).orElse(null),
                settings);
    }

    /**
     * Returns the profile for the worker, resolved except for a parent that only the worker's slicers may have, or that several slicers
     * have; the slicer that is used decides which one is meant.
     */
    public SliceSetup.Profile forSlicing(Tx tx, Profile profile) {
        ResolvedProfile whole = resolve(
                tx,
                profile,
                name -> bundles.all().findOfEachSlicer(profile.type(), name).size() == 1);
        return new SliceSetup.Profile(
                profile.id(),
                profile.name(),
                Objects.requireNonNullElse(whole.missing(), ""),
                withCompatibility(whole, profile),
                whole.slicer());
    }

    /** Returns the resolved settings; the profile's own list of compatible machines overrides the inherited one. */
    Map<String, Object> withCompatibility(Tx tx, Profile profile) {
        return withCompatibility(resolve(tx, profile), profile);
    }

    private static Map<String, Object> withCompatibility(ResolvedProfile whole, Profile profile) {
        Map<String, Object> own = new LinkedHashMap<>(whole.settings());
        if (!profile.compatibilityList().isBlank()) {
            own.put("compatible_printers", ProfileCompatibility.parseTexts(profile.compatibilityList()));
        }
        return own;
    }

    /**
     * Rejects a process profile for another nozzle than that of the printer's machine profile. Profiles that only a worker's slicers have
     * are checked when slicing.
     */
    public void checkNozzle(Tx tx, Printer printer) {
        String user = printer.processUserProfileId();
        Long system = printer.processSystemProfileId();
        Optional<ResolvedProfile> machine =
                machineProfile(tx, printer.machineUserProfileId(), printer.machineSystemProfileId());
        Optional<SliceSetup.Profile> process = user == null
                ? Optional.ofNullable(system).flatMap(bundles.all()::find).map(this::forSlicing)
                : profiles.find(tx, user).map(profile -> forSlicing(tx, profile));
        if (machine.isEmpty() || process.isEmpty()) {
            return;
        }
        Map<String, Object> settings = machine.get().settings();
        if (ProfileCompatibility.isForOtherNozzle(process.get().data(), settings, bundles.all()::nozzleDiameter)) {
            String path = user == null ? "processSystemProfileId" : "processUserProfileId";
            String reason = ProfileCompatibility.otherNozzleMessage(
                    process.get().name(), machine.get().name(), settings);
            throw ProblemException.invalid(path, "invalid", path + ": " + reason);
        }
    }

    private SliceSetup.Profile forSlicing(SystemProfile profile) {
        return new SliceSetup.Profile(
                Long.toString(profile.id()), profile.name(), "", bundles.all().settings(profile), profile.slicer());
    }

    private Optional<Profile> findByName(Tx tx, Profile.Type type, String name) {
        return profiles
                .find(
                        tx,
                        ListQuery.all(profiles.columns(), Profile::name, name)
                                .where(Filter.of(profiles.columns().get(Profile::type), Operator.eq, type.name()))
                                .page(1, 0))
                .stream()
                .findFirst();
    }

    /** Rejects a profile that would inherit from itself. */
    Profile requireAcyclic(Tx tx, Profile profile) {
        resolve(tx, profile);
        return profile;
    }

    /** Returns the machine profile of a printer: the store's, else the slicer's. */
    public Optional<ResolvedProfile> machineProfile(
            Tx tx, @Nullable String userProfileId, @Nullable Long systemProfileId) {
        if (userProfileId != null) {
            return profiles.find(tx, userProfileId).map(profile -> resolve(tx, profile));
        }
        return systemProfileId == null
                ? Optional.empty()
                : bundles.all().find(systemProfileId).map(this::resolve);
    }

    /** Updates the bed sizes of all printers with a machine profile of the store after machine profiles have changed. */
    void onChange(Tx tx, List<Profile> before, List<Profile> after) {
        if (Stream.concat(before.stream(), after.stream())
                .noneMatch(profile -> profile.type() == Profile.Type.machine)) {
            return;
        }
        refreshBeds(
                tx,
                printers.find(
                        tx,
                        ListQuery.all(printers.columns())
                                .where(Filter.of(
                                        printers.columns().get(Printer::machineUserProfileId),
                                        Operator.isNull,
                                        "false"))));
    }

    /** The bed and the printer model in a machine profile. */
    private record MachineProperties(
            BedSize size,
            @Nullable PrintableArea area,
            @Nullable String model) {
        static Optional<MachineProperties> of(Map<String, Object> settings) {
            BedSize size = BedSize.fromMachineSettings(settings);
            String model = Tree.text(settings, "printer_model");
            return size == null
                    ? Optional.empty()
                    : Optional.of(new MachineProperties(
                            size,
                            PrintableArea.fromMachineSettings(settings),
                            model == null || model.isBlank() ? null : model));
        }

        /** Returns the changed fields of the printer. A model that a person set is kept. */
        Change<Printer> changes(Printer printer) {
            Change<Printer> changes = new Change<>();
            if (!size.equals(printer.bedSize()) || !Objects.equals(area, printer.printableArea())) {
                changes.set(Printer::bedSize, size);
                changes.set(Printer::printableArea, area);
            }
            if (printer.modelName() == null && model != null) {
                changes.set(Printer::modelName, model);
            }
            return changes;
        }
    }

    /** Updates the bed data that printers copy from their machine profiles. A printer whose profile has no bed keeps its own. */
    public void refreshBeds(Tx tx, List<Printer> changed) {
        record ProfileIds(
                @Nullable String userProfileId, @Nullable Long systemProfileId) {}
        Map<ProfileIds, Optional<MachineProperties>> machines = new HashMap<>();
        for (Printer printer : changed) {
            machines.computeIfAbsent(
                            new ProfileIds(printer.machineUserProfileId(), printer.machineSystemProfileId()),
                            ids -> machineProfile(tx, ids.userProfileId(), ids.systemProfileId())
                                    .flatMap(whole -> MachineProperties.of(whole.settings())))
                    .map(machine -> machine.changes(printer))
                    .filter(changes -> !changes.isEmpty())
                    .ifPresent(changes -> printers.change(tx, printer.id(), changes));
        }
    }
}
