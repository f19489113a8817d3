package farm.gantry.ingest.bundle;

import farm.gantry.profile.Profile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the bundles read so far hold; a profile that is only inherited from is known, but not offered. */
final class Found {
    private record Named(String slicer, Profile.Type type, String name) {}

    private final Map<Named, SystemProfile> byName = new HashMap<>();
    private final List<SystemProfile> offered = new ArrayList<>();
    private final List<SystemModel> models = new ArrayList<>();

    void add(SystemProfile profile, boolean isOffered) {
        byName.put(vendorsOwn(profile), profile);
        byName.putIfAbsent(new Named(profile.slicer(), profile.type(), profile.name()), profile);
        if (isOffered) {
            offered.add(profile);
        }
    }

    void add(SystemModel model) {
        models.add(model);
    }

    private static Named vendorsOwn(SystemProfile profile) {
        return new Named(profile.slicer() + "/" + profile.vendorName(), profile.type(), profile.name());
    }

    /** The one that inherits means: its vendor's, or else any vendor's of the same slicer. */
    Optional<SystemProfile> parent(SystemProfile child, String name) {
        String own = child.slicer() + "/" + child.vendorName();
        SystemProfile near = byName.get(new Named(own, child.type(), name));
        return Optional.ofNullable(near)
                .or(() -> Optional.ofNullable(byName.get(new Named(child.slicer(), child.type(), name))));
    }

    Optional<SystemProfile> named(Profile.Type type, String name) {
        return offered.stream()
                .filter(profile -> profile.type() == type && profile.name().equals(name))
                .findFirst();
    }

    List<SystemProfile> offered() {
        return List.copyOf(offered);
    }

    List<SystemModel> models() {
        return List.copyOf(models);
    }
}
