package farm.gantry.ingest.bundle;

import farm.gantry.profile.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The profile bundles of the installed slicers. */
public final class ProfileBundles {
    private static final Pattern NOZZLE = Pattern.compile("(?i)\\b(\\d+\\.\\d+)\\s*(?:mm)?\\s*nozzle\\b");

    private final ProfileIndex found = new ProfileIndex();
    private final Map<Long, SystemProfile> byId = new HashMap<>();

    /** Reads each slicer's folder of bundles, by the API's name for the slicer; a missing folder has none. */
    public ProfileBundles(Map<String, Path> folders) {
        new TreeMap<>(folders).forEach(this::read);
        found.offeredProfiles().forEach(profile -> byId.put(profile.id(), profile));
    }

    private void read(String slicer, Path folder) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                if (file.toString().endsWith(".ini")) {
                    IniBundleParser.read(slicer, file, found);
                } else if (file.toString().endsWith(".json")) {
                    JsonBundleParser.read(slicer, file, found);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the profiles of " + slicer + " cannot be read", e);
        }
    }

    public List<SystemProfile> profiles() {
        return found.offeredProfiles();
    }

    public Optional<SystemProfile> find(long id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** Returns the first profile of that name. */
    public Optional<SystemProfile> findByName(Profile.Type type, String name) {
        return findOfEachSlicer(type, name).stream().findFirst();
    }

    /** Returns the profiles of that name, one for each slicer that has one. */
    public List<SystemProfile> findOfEachSlicer(Profile.Type type, String name) {
        return found.findOfEachSlicer(type, name);
    }

    /** Returns the nozzle diameter of a machine profile: from its settings, or else from its name. */
    public Optional<String> nozzleDiameter(String machine) {
        return findByName(Profile.Type.machine, machine)
                .map(profile -> settings(profile).get("nozzle_diameter"))
                .map(nozzle -> String.join(";", ProfileCompatibility.parseTexts(nozzle)))
                .or(() -> NOZZLE.matcher(machine)
                        .results()
                        .map(found -> found.group(1))
                        .findFirst());
    }

    public List<SystemPrinterModel> models() {
        return found.models();
    }

    /** Returns the profile's settings merged over the inherited ones, without the names of the parents. */
    public Map<String, Object> settings(SystemProfile profile) {
        Map<String, Object> settings = new LinkedHashMap<>();
        collect(profile, settings, new LinkedHashSet<>());
        settings.remove("inherits");
        return settings;
    }

    private void collect(SystemProfile profile, Map<String, Object> settings, Set<Long> within) {
        if (!within.add(profile.id())) {
            throw new IllegalArgumentException(profile.name() + " inherits itself");
        }
        for (String parent : profile.inherits()) {
            found.parent(profile, parent).ifPresent(other -> collect(other, settings, within));
        }
        settings.putAll(profile.settings());
        within.remove(profile.id());
    }
}
