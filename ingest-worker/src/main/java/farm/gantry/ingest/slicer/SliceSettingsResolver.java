package farm.gantry.ingest.slicer;

import farm.gantry.ingest.bundle.ProfileBundles;
import farm.gantry.ingest.bundle.ProfileCompatibility;
import farm.gantry.ingest.bundle.SystemProfile;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.part.SlicingEstimate;
import farm.gantry.profile.Profile;
import farm.gantry.wire.SliceSetup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Resolves profiles that inherit from those of installed slicers. */
public final class SliceSettingsResolver {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final String DEFAULTS = "the slicer's own defaults";
    private static final String EMBEDDED = "embedded in the file";

    /**
     * G-code before each layer, without which PrusaSlicer rejects relative extrusion. The machine's own macro replaces
     * it.
     */
    private static final String RESET_EXTRUDER = "G92 E0";

    private final Supplier<ProfileBundles> bundles;

    public SliceSettingsResolver(Supplier<ProfileBundles> bundles) {
        this.bundles = bundles;
    }

    /**
     * The slicers that each profile may be of, the machine's first: more than one where it inherits a name that several slicers
     * have, and none of a profile that inherits nothing.
     */
    List<List<String>> slicers(SliceSetup setup) {
        return Stream.of(
                        Stream.ofNullable(setup.machine()).map(machine -> slicers(Profile.Type.machine, machine)),
                        setup.filaments().stream().map(filament -> slicers(Profile.Type.filament, filament)),
                        Stream.ofNullable(process(setup)).map(process -> slicers(Profile.Type.process, process)))
                .flatMap(Function.identity())
                .toList();
    }

    private static SliceSetup.@Nullable Profile process(SliceSetup setup) {
        return setup.partProcess() == null ? setup.printerProcess() : setup.partProcess();
    }

    /** Returns whether the process settings embedded in the file take precedence over the printer's. */
    static boolean wantsEmbedded(SliceSetup setup) {
        return setup.partProcess() == null && setup.use3MFProcessProfile();
    }

    /**
     * For the slicer of that name. {@code embedded} are the settings inside the part's own file, empty where it has none that
     * the slicer takes.
     */
    SliceSettings resolve(SliceSetup setup, Map<String, Object> embedded, String slicer, SlicerEngine engine)
            throws BadFileException {
        boolean useEmbedded = wantsEmbedded(setup) && !embedded.isEmpty();
        SliceSetup.Profile process = process(setup);
        Map<String, Object> machine = settings(Profile.Type.machine, setup.machine(), slicer, engine);
        List<Map<String, Object>> filaments = new ArrayList<>();
        for (SliceSetup.Profile filament : setup.filaments()) {
            filaments.add(settings(Profile.Type.filament, filament, slicer, engine));
        }
        Map<String, Object> own;
        if (useEmbedded) {
            own = engine.readsProjects() ? Map.of() : withoutMachineSettings(embedded, machine, filaments);
        } else {
            own = settings(Profile.Type.process, process, slicer, engine);
        }
        String processName = useEmbedded ? EMBEDDED : process == null ? DEFAULTS : process.name();
        requireNozzle(processName, useEmbedded ? embedded : own, setup.machine(), machine);
        return new SliceSettings(
                machine,
                own,
                filaments,
                setup.arrangeable(),
                new SlicingEstimate.Profiles(
                        setup.filaments().stream().map(SliceSetup.Profile::id).toList(),
                        setup.filaments().stream().map(SliceSetup.Profile::name).toList(),
                        setup.machine() == null ? "" : setup.machine().id(),
                        setup.machine() == null
                                ? (useEmbedded ? EMBEDDED : DEFAULTS)
                                : setup.machine().name(),
                        useEmbedded || process == null ? "" : process.id(),
                        processName));
    }

    private void requireNozzle(
            String process,
            Map<String, Object> settings,
            SliceSetup.@Nullable Profile machineProfile,
            Map<String, Object> machine)
            throws BadFileException {
        if (machineProfile != null
                && ProfileCompatibility.isForOtherNozzle(
                        settings, machine, name -> bundles.get().nozzleDiameter(name))) {
            throw new BadFileException(
                    ProfileCompatibility.otherNozzleMessage(process, machineProfile.name(), machine));
        }
    }

    /**
     * A file embeds its machine and filaments too; where the job has its own, those are the ones that count. Its macros
     * are left out: a newer slicer's are more than an older one can read.
     */
    private static Map<String, Object> withoutMachineSettings(
            Map<String, Object> embedded, Map<String, Object> machine, List<Map<String, Object>> filaments) {
        Map<String, Object> process = new HashMap<>(embedded);
        process.keySet().removeAll(machine.keySet());
        filaments.forEach(filament -> process.keySet().removeAll(filament.keySet()));
        process.keySet().removeIf(key -> !AllowedSettings.isAllowed(key) || key.endsWith("gcode"));
        process.put("layer_gcode", RESET_EXTRUDER);
        return process;
    }

    private Map<String, Object> settings(
            Profile.Type type, SliceSetup.@Nullable Profile profile, String slicer, SlicerEngine engine)
            throws BadFileException {
        Map<String, Object> settings = new HashMap<>();
        if (profile != null) {
            List<SystemProfile> systems = systems(type, profile);
            if (systems.isEmpty() && (isOfSlicer(profile) || !profile.inherits().isBlank())) {
                throw unknownProfile(type, profile);
            }
            requireFamily(type, profile, engine);
            findNearest(systems, slicer, engine)
                    .ifPresent(each -> settings.putAll(bundles.get().settings(each)));
            profile.data().forEach((key, value) -> {
                if (value != null) {
                    settings.put(key, withoutNull(value));
                }
            });
        }
        settings.keySet().removeIf(key -> !AllowedSettings.isAllowed(key));
        return settings;
    }

    /** Returns, of profiles with the same name, the slicer's own, or else one that it can read. */
    private static Optional<SystemProfile> findNearest(
            List<SystemProfile> systems, String slicer, SlicerEngine engine) {
        return systems.stream()
                .filter(each -> each.slicer().equals(slicer))
                .findFirst()
                .or(() -> systems.stream()
                        .filter(each -> engine.takesSettingsOf(each.slicer()))
                        .findFirst());
    }

    /**
     * Throws if the profile belongs to another slicer family. The slicer would ignore its settings, such as
     * temperatures and macros.
     */
    private void requireFamily(Profile.Type type, SliceSetup.Profile profile, SlicerEngine engine)
            throws BadFileException {
        List<String> slicers = slicers(type, profile);
        if (!slicers.isEmpty() && slicers.stream().noneMatch(engine::takesSettingsOf)) {
            throw new BadFileException("The " + type + " profile '" + profile.name() + "' is for "
                    + slicers.stream().map(SlicerNames::name).collect(Collectors.joining(" or ")) + ", and "
                    + engine.tool().name() + " cannot slice with it");
        }
    }

    private List<String> slicers(Profile.Type type, SliceSetup.Profile profile) {
        return profile.slicer() != null
                ? List.of(profile.slicer())
                : systems(type, profile).stream().map(SystemProfile::slicer).toList();
    }

    /** Replaces null values of a list by {@code nil}, which means to all slicers that the extruder uses the default. */
    private static Object withoutNull(Object value) {
        return value instanceof List<?> list
                ? list.stream().map(one -> one == null ? "nil" : one).toList()
                : value;
    }

    private static boolean isOfSlicer(SliceSetup.Profile profile) {
        return NUMBER.matcher(profile.id()).matches();
    }

    private List<SystemProfile> systems(Profile.Type type, SliceSetup.Profile profile) {
        if (isOfSlicer(profile)) {
            return bundles.get().find(Long.parseLong(profile.id())).stream().toList();
        }
        return profile.inherits().isBlank() ? List.of() : bundles.get().findOfEachSlicer(type, profile.inherits());
    }

    /**
     * Returns the error for a profile that is not installed. Without it, the slicer would use the size, nozzle and
     * macros of its default machine.
     */
    private static BadFileException unknownProfile(Profile.Type type, SliceSetup.Profile profile) {
        return new BadFileException(
                isOfSlicer(profile)
                        ? "The " + type + " profile '" + profile.name() + "' is not known where parts are sliced"
                        : "The profile '" + profile.inherits() + "', which the " + type + " profile '" + profile.name()
                                + "' inherits, is not known where parts are sliced");
    }
}
