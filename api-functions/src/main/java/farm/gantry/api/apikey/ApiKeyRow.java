package farm.gantry.api.apikey;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a key that the key check reads. {@code permissions} and {@code ipAllowlist} are JSON arrays; {@code
 * version} changes with every column except {@code lastUsedAt}. {@code isStoreMoved} is whether the store is moved to
 * another installation.
 */
public record ApiKeyRow(
        String storeId,
        String version,
        String salt,
        String hash,
        boolean active,
        boolean fullAccess,
        String permissions,
        @Nullable String ipAllowlist,
        @Nullable Integer requestsPerMinute,
        @Nullable Instant expiresAt,
        @Nullable Instant lastUsedAt,
        boolean isStoreMoved) {}
