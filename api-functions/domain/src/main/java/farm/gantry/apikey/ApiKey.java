package farm.gantry.apikey;

import farm.gantry.Permission;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Example;
import farm.gantry.annotation.Format;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.Secret;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An API key. Its text is shown once, when it is created; the database stores a salt and a hash of its secret. {@code requestsPerMinute} is
 * its rate limit, with bursts of a fifth of it; null means the installation's default.
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
