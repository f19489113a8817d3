package farm.gantry.api.profile;

import farm.gantry.api.error.ProblemException;
import farm.gantry.ingest.bundle.ProfileBundles;
import farm.gantry.ingest.bundle.SystemPrinterModel;
import farm.gantry.ingest.bundle.SystemProfile;
import farm.gantry.printer.PrinterModelCatalog;
import farm.gantry.profile.Profile;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.util.SupplierUtil;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Loads the profile bundles of the slicers on this machine, on first use. */
@Singleton
public final class SlicerBundles {
    private final Supplier<ProfileBundles> bundles;
    private final Supplier<PrinterModelCatalog> modelNames;

    SlicerBundles(BundleFolders folders) {
        this.bundles = SupplierUtil.memoized(() -> new ProfileBundles(folders.bundles().entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> Path.of(entry.getValue())))));
        this.modelNames = SupplierUtil.memoized(() -> PrinterModelCatalog.BUILT_IN.with(
                all().models().stream().map(SystemPrinterModel::modelName).toList()));
    }

    /** Returns the catalogue of printer models, including those of the bundles. */
    public PrinterModelCatalog modelNames() {
        return modelNames.get();
    }

    /** The folder with vendor bundles of each slicer, by the slicer's wire name. */
    @ConfigurationProperties("gantry.slicers")
    record BundleFolders(Map<String, String> bundles) {}

    public ProfileBundles all() {
        return bundles.get();
    }

    /** Rejects a slicer profile of another type and, if a slicer is installed, one that none has. */
    public JsonNode validate(JsonNode body, String field, Profile.Type type) {
        JsonNode number = body.get(field);
        if (number != null && number.isNumber() && number.getDoubleValue() == number.getLongValue()) {
            Optional<SystemProfile> found = all().find(number.getLongValue());
            if (found.isEmpty() && !all().profiles().isEmpty()) {
                String reason = field + ": no installed slicer has a profile " + number.getLongValue();
                throw ProblemException.invalid(field, "unknown", reason);
            }
            if (found.isPresent() && found.get().type() != type) {
                String reason = field + ": " + found.get().name() + " is no " + type + " profile";
                throw ProblemException.invalid(field, "invalid", reason);
            }
        }
        return body;
    }

    /** Returns the profiles, optionally of one slicer and one vendor. */
    List<SystemProfile> profiles(@Nullable String slicer, @Nullable String vendorName) {
        return all().profiles().stream()
                .filter(profile -> slicer == null || slicer.equals(profile.slicer()))
                .filter(profile -> vendorName == null || vendorName.equals(profile.vendorName()))
                .toList();
    }
}
