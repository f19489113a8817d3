package farm.gantry.api.profile;

import farm.gantry.api.error.ProblemException;
import farm.gantry.ingest.bundle.Bundles;
import farm.gantry.ingest.bundle.SystemModel;
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

/** The profile bundles of the slicers on this machine, loaded on first use. */
@Singleton
public final class SlicerBundles {
    private final Supplier<Bundles> bundles;
    private final Supplier<PrinterModelCatalog> modelNames;

    SlicerBundles(BundleFolders folders) {
        this.bundles = SupplierUtil.memoized(() -> new Bundles(folders.bundles().entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> Path.of(entry.getValue())))));
        this.modelNames = SupplierUtil.memoized(() -> PrinterModelCatalog.BUILT_IN.with(
                all().models().stream().map(SystemModel::modelName).toList()));
    }

    /** The names of printer models that are known here. */
    public PrinterModelCatalog modelNames() {
        return modelNames.get();
    }

    /** The folder of each slicer's vendor bundles, by the slicer's name on the wire. */
    @ConfigurationProperties("gantry.slicers")
    record BundleFolders(Map<String, String> bundles) {}

    public Bundles all() {
        return bundles.get();
    }

    /** Refuses a profile of another type, or one that no slicer has, if a slicer is installed. */
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

    /** The profiles, optionally of one slicer and one vendor. */
    List<SystemProfile> profiles(@Nullable String slicer, @Nullable String vendorName) {
        return all().profiles().stream()
                .filter(profile -> slicer == null || slicer.equals(profile.slicer()))
                .filter(profile -> vendorName == null || vendorName.equals(profile.vendorName()))
                .toList();
    }
}
