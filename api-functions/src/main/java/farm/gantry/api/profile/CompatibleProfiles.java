package farm.gantry.api.profile;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.query.ListQuery;
import farm.gantry.ingest.bundle.Compatibility;
import farm.gantry.ingest.bundle.SystemProfile;
import farm.gantry.printer.Printer;
import farm.gantry.profile.Profile;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The filament and process profiles that are compatible with a printer. */
@Singleton
public final class CompatibleProfiles {
    private final Table<Profile> profiles;
    private final ProfileResolver settings;
    private final SlicerBundles bundles;

    CompatibleProfiles(Tables tables, ProfileResolver settings, SlicerBundles bundles) {
        this.profiles = tables.of(Profile.class);
        this.settings = settings;
        this.bundles = bundles;
    }

    /** A profile of the store or of a slicer. */
    @Serdeable
    public record CompatibleProfile(
            String name,
            Profile.Type type,
            @Nullable String userProfileId,
            @Nullable Long systemProfileId) {}

    /** The store's own first. For a printer without a machine profile only those that are compatible with any. */
    public List<CompatibleProfile> findFor(Tx tx, Printer printer) {
        Optional<ProfileResolver.ResolvedProfile> machine =
                settings.machineProfile(tx, printer.machineUserProfileId(), printer.machineSystemProfileId());
        List<CompatibleProfile> suited = new ArrayList<>();
        for (Profile profile : profiles.find(tx, ListQuery.all(profiles.columns()))) {
            if (profile.type() != Profile.Type.machine && isCompatible(settings.withCompatibility(tx, profile), machine)) {
                suited.add(new CompatibleProfile(profile.name(), profile.type(), profile.id(), null));
            }
        }
        machine.filter(whole -> whole.slicer() != null)
                .ifPresent(whole -> bundles.profiles(whole.slicer(), whole.vendorName()).stream()
                        .filter(profile -> profile.type() != Profile.Type.machine)
                        .filter(profile -> isCompatible(bundles.all().settings(profile), machine))
                        .map(CompatibleProfiles::toCompatibleProfile)
                        .forEach(suited::add));
        return suited;
    }

    private static CompatibleProfile toCompatibleProfile(SystemProfile profile) {
        return new CompatibleProfile(profile.name(), profile.type(), null, profile.id());
    }

    private boolean isCompatible(Map<String, Object> own, Optional<ProfileResolver.ResolvedProfile> machine) {
        return machine.map(whole -> Compatibility.suits(own, names(whole), whole.settings())
                        && !Compatibility.isForOtherNozzle(own, whole.settings(), bundles.all()::nozzleOf))
                .orElseGet(() -> Compatibility.suits(own, List.of(), Map.of()));
    }

    private static List<String> names(ProfileResolver.ResolvedProfile machine) {
        List<String> names = new ArrayList<>(machine.inherits());
        names.add(machine.name());
        return names;
    }
}
