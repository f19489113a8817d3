package farm.gantry.api.store;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.model.naming.NamingStrategies;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the key check reads of a key; {@code permissions} and {@code ipAllowlist} are JSON arrays. */
@MappedEntity(namingStrategy = NamingStrategies.Raw.class)
public record KeyRow(
        @Id String storeId,
        String salt,
        String hash,
        boolean active,
        boolean fullAccess,
        String permissions,
        @Nullable String ipAllowlist,
        @Nullable Instant expiresAt,
        @Nullable Instant lastUsedAt) {}
