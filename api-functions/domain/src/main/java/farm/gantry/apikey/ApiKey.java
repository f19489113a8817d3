package farm.gantry.apikey;

import farm.gantry.Default;
import farm.gantry.Example;
import farm.gantry.Format;
import farm.gantry.Permission;
import farm.gantry.References;
import farm.gantry.Resource;
import farm.gantry.Secret;
import farm.gantry.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A caller's key. The key itself is shown once, when it is made; kept are a salt and a hash of its secret. It may make
 * {@code requestsPerMinute}, and a fifth of them at once; as many as the install lets every key make where that is null.
 */
@Serdeable
@Resource(table = "apiKey", view = Permission.API_KEY_VIEW)
@Example("""
        {"name": "Shop floor tablet", "permissions": ["part.view", "printer.view"], "ipAllowlist": ["10.0.0.0/8"]}""")
public record ApiKey(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank String name,
        @Default("true") boolean active,
        @Default("false") boolean fullAccess,
        @Default("[]") List<@Format(Format.Kind.PERMISSION) String> permissions,
        @SystemSet @Default("false") boolean managed,
        @SystemSet @Nullable String managedBy,
        @Nullable String externalRef,

        @References(value = "integration", onDelete = References.OnDelete.CASCADE) @SystemSet @Nullable
        String integrationId,

        @Nullable @Size(min = 1) List<@Format(Format.Kind.ADDRESS_RANGE) String> ipAllowlist,
        @Nullable @Min(1) @Max(60_000) Integer requestsPerMinute,
        @SystemSet @Nullable String createdBy,
        @SystemSet @Nullable Instant lastUsedAt,
        @Nullable Instant expiresAt,
        @SystemSet @Secret String hash,
        @SystemSet @Secret String salt) {}
