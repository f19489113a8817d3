package farm.gantry.profile;

import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A slicer profile of a store: settings for a machine, a filament or a process; {@code inherits} names the profile that it extends. After a
 * change, jobs that were sliced with it, or with a profile that inherits from it, are sliced again unless they were already sent.
 */
@Serdeable
@Resource(table = "profile", view = Permission.PROFILE_VIEW)
public record Profile(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank String name,
        Type type,
        Source source,
        Map<String, Object> data,
        Map<String, Object> metadata,
        @Nullable String externalId,
        String inherits,
        String compatibilityList,

        @References(value = "integration", onDelete = References.OnDelete.SET_NULL)
        @Nullable
        @Pattern(regexp = Id.PATTERN)
        String integrationId,

        @Nullable IntegrationType integrationType,
        @Default("{}") Map<String, Object> customMetadata) {

    @Serdeable
    public enum Type {
        process,
        filament,
        machine
    }

    /** Origin of the profile: a person, or the cloud of the printer's vendor. */
    @Serdeable
    public enum Source {
        manual,
        @JsonProperty("vendorA-account")
        VENDOR_A_ACCOUNT
    }

    @Serdeable
    public enum IntegrationType {
        @JsonProperty("vendorA-lab")
        VENDOR_A_LAB,
        market1,
        market2,
        market3,
        market4,
        market5,
        shipping1,
        market6,
        storage1,
        storage2
    }
}
