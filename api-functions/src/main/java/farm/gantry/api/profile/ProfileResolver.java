package farm.gantry.api.profile;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.query.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.ingest.bundle.Compatibility;
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

/** Resolves the settings of profiles with those they inherit, and copies some of them to printers. */
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
     * The resolved settings of a profile. {@code inherits} are the names of its ancestors, the nearest first;
     * {@code missing} is the first of them that neither the store nor an installed slicer has, else null. {@code slicer}
     * and {@code vendorName} are those of the slicer's profile among its ancestors, if there is one.
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

    /** The parent of a store's profile is looked up by name and type in the store first. */
    public ResolvedProfile resolve(Tx tx, Profile profile) {
        return resolve(tx, profile, _ -> true);
    }

    /** {@code isTaken} says whether the slicers' profile of a name is taken, and not missing. */
    private ResolvedProfile resolve(Tx tx, Profile profile, Predicate<String> isTaken) {
        List<Map<String, Object>> layers = new ArrayList<>(List.of(profile.data()));
        List<String> inherits = new ArrayList<>();
        String missing = null;
        Optional<SystemProfile> base = Optional.empty();
        String parent = profile.inherits();
        while (!parent.isBlank()) {
            if (inherits.size() == MAX_DEPTH || parent.equals(profile.name()) || inherits.contains(parent)) {
                throw ProblemException.invalid(
                        "inherits", "invalid", "inherits: the profile inherits itself by " + parent);
            }
            Optional<Profile> own = findByName(tx, profile.type(), parent);
            inherits.add(parent);
            if (own.isPresent()) {
                layers.add(own.get().data());
                parent = own.get().inherits();
            } else {
                base = Optional.of(parent)
                        .filter(isTaken)
                        .flatMap(name -> bundles.all().named(profile.type(), name));
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
     * The profile for the worker: resolved, except for a parent that only the worker's slicers may have, or that several slicers
     * have, for the one that slices decides which is meant.
     */
    public SliceSetup.Profile forSlicing(Tx tx, Profile profile) {
        ResolvedProfile whole = resolve(
                tx,
                profile,
                name -> bundles.all().ofEachSlicer(profile.type(), name).size() == 1);
        return new SliceSetup.Profile(
                profile.id(),
                profile.name(),
                Objects.requireNonNullElse(whole.missing(), ""),
                withCompatibility(whole, profile),
                whole.slicer());
    }

    /** The settings of the profile; its own machine settings override inherited ones. */
    Map<String, Object> withCompatibility(Tx tx, Profile profile) {
        return withCompatibility(resolve(tx, profile), profile);
    }

    private static Map<String, Object> withCompatibility(ResolvedProfile whole, Profile profile) {
        Map<String, Object> own = new LinkedHashMap<>(whole.settings());
        if (!profile.compatibilityList().isBlank()) {
            own.put("compatible_printers", Compatibility.texts(profile.compatibilityList()));
        }
        return own;
    }

    /**
     * Refuses a process profile for another nozzle than that of the printer's machine. Profiles that only a worker's
     * slicers know are checked when slicing.
     */
    public void checkNozzle(Tx tx, Printer printer) {
        String user = printer.processUserProfileId();
        Long system = printer.processSystemProfileId();
        Optional<ResolvedProfile> machine = machineProfile(tx, printer.machineUserProfileId(), printer.machineSystemProfileId());
        Optional<SliceSetup.Profile> process = user == null
                ? Optional.ofNullable(system).flatMap(bundles.all()::find).map(this::forSlicing)
                : profiles.find(tx, user).map(profile -> forSlicing(tx, profile));
        if (machine.isEmpty() || process.isEmpty()) {
            return;
        }
        Map<String, Object> settings = machine.get().settings();
        if (Compatibility.isForOtherNozzle(process.get().data(), settings, bundles.all()::nozzleOf)) {
            String path = user == null ? "processSystemProfileId" : "processUserProfileId";
            String reason = Compatibility.otherNozzle(
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

    /** Refuses a profile that would inherit itself. */
    Profile requireAcyclic(Tx tx, Profile profile) {
        resolve(tx, profile);
        return profile;
    }

    /** The machine profile of a printer: the store's, else the slicer's. */
    public Optional<ResolvedProfile> machineProfile(Tx tx, @Nullable String userProfileId, @Nullable Long systemProfileId) {
        if (userProfileId != null) {
            return profiles.find(tx, userProfileId).map(profile -> resolve(tx, profile));
        }
        return systemProfileId == null
                ? Optional.empty()
                : bundles.all().find(systemProfileId).map(this::resolve);
    }

    /** After machine profiles change, the bed sizes of all printers with a machine profile of the store are updated. */
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

    /** The bed and the model that a machine profile is for. */
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
                            size, PrintableArea.fromMachineSettings(settings), model == null || model.isBlank() ? null : model));
        }

        /** The fields of the printer that differ; a model that somebody named stays. */
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

    /** Updates what these printers' records copy from their machine profiles; one whose profile names no bed keeps its own. */
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
