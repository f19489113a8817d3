package farm.gantry.ingest.bundle;

import farm.gantry.profile.Profile;
import java.util.List;
import java.util.Map;

/**
 * A profile that a slicer brings along. {@code settings} are its own, texts or lists of texts; {@code inherits} names
 * what they add to, the last of which counts most. The slicer is named by the interface's word for it.
 */
public record SystemProfile(
        long id,
        String slicer,
        String vendorName,
        Profile.Type type,
        String name,
        List<String> inherits,
        Map<String, Object> settings) {

    static SystemProfile of(
            String slicer,
            String vendor,
            Profile.Type type,
            String name,
            List<String> inherits,
            Map<String, Object> settings) {
        long id = StableId.hash(slicer, vendor, type.name(), name);
        return new SystemProfile(id, slicer, vendor, type, name, inherits, settings);
    }
}
