package farm.gantry.ingest.bundle;

import farm.gantry.profile.Profile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The profiles and printer models of all bundles. A profile that exists only to be inherited is indexed, but not
 * offered.
 */
final class ProfileIndex {
    private record ProfileKey(String slicer, Profile.Type type, String name) {}

    private final Map<ProfileKey, SystemProfile> byName = new HashMap<>();
    private final List<SystemProfile> offered = new ArrayList<>();
    private final List<SystemPrinterModel> models = new ArrayList<>();

    void add(SystemProfile profile, boolean isOffered) {
        byName.put(vendorKey(profile), profile);
        byName.putIfAbsent(new ProfileKey(profile.slicer(), profile.type(), profile.name()), profile);
        if (isOffered) {
            offered.add(profile);
        }
    }

    void add(SystemPrinterModel model) {
        models.add(model);
    }

    private static ProfileKey vendorKey(SystemProfile profile) {
        return new ProfileKey(profile.slicer() + "/" + profile.vendorName(), profile.type(), profile.name());
    }

    /**
     * Returns the parent that {@code inherits} names: the one of the same vendor, or else one of any vendor of the same
     * slicer.
     */
    Optional<SystemProfile> parent(SystemProfile child, String name) {
        String own = child.slicer() + "/" + child.vendorName();
        SystemProfile near = byName.get(new ProfileKey(own, child.type(), name));
        return Optional.ofNullable(near)
                .or(() -> Optional.ofNullable(byName.get(new ProfileKey(child.slicer(), child.type(), name))));
    }

    /** Returns the first profile of that name for each slicer that offers one. */
    List<SystemProfile> findOfEachSlicer(Profile.Type type, String name) {
        Map<String, SystemProfile> first = new LinkedHashMap<>();
        offered.stream()
                .filter(profile -> profile.type() == type && profile.name().equals(name))
                .forEach(profile -> first.putIfAbsent(profile.slicer(), profile));
        return List.copyOf(first.values());
    }

    List<SystemProfile> offeredProfiles() {
        return List.copyOf(offered);
    }

    List<SystemPrinterModel> models() {
        return List.copyOf(models);
    }
}
