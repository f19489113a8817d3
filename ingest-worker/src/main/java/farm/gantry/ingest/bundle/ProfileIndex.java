package farm.gantry.ingest.bundle;

import farm.gantry.profile.Profile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The profiles and models of all bundles; a profile that is only inherited from is indexed, but not offered. */
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

    /** The profile that {@code inherits} names: its vendor's, or else any vendor's of the same slicer. */
    Optional<SystemProfile> parent(SystemProfile child, String name) {
        String own = child.slicer() + "/" + child.vendorName();
        SystemProfile near = byName.get(new ProfileKey(own, child.type(), name));
        return Optional.ofNullable(near)
                .or(() -> Optional.ofNullable(byName.get(new ProfileKey(child.slicer(), child.type(), name))));
    }

    /** The first profile of that name of each slicer that offers one. */
    List<SystemProfile> ofEachSlicer(Profile.Type type, String name) {
        Map<String, SystemProfile> first = new LinkedHashMap<>();
        offered.stream()
                .filter(profile -> profile.type() == type && profile.name().equals(name))
                .forEach(profile -> first.putIfAbsent(profile.slicer(), profile));
        return List.copyOf(first.values());
    }

    List<SystemProfile> offered() {
        return List.copyOf(offered);
    }

    List<SystemPrinterModel> models() {
        return List.copyOf(models);
    }
}
