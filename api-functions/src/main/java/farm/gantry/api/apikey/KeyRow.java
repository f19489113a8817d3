package farm.gantry.api.apikey;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the key check reads of a key; {@code permissions} and {@code ipAllowlist} are JSON arrays, {@code version} changes
 * with all but {@code lastUsedAt}.
 */
public record KeyRow(
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
        @Nullable Instant lastUsedAt) {}
