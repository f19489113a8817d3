package farm.gantry.apikey;

import farm.gantry.Example;
import farm.gantry.Permission;
import farm.gantry.References;
import farm.gantry.Resource;
import farm.gantry.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A browser that somebody signed in with: it may do what its key may, as long as the key works and until {@code expiresAt}.
 * Its name is what the audit log calls who signed in.
 */
@Serdeable
@Resource(table = "session", view = Permission.API_KEY_VIEW)
@Example("{\"name\": \"Ada\"}")
public record Session(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank @Size(max = 100) String name,

        @References(value = "apiKey", onDelete = References.OnDelete.CASCADE) @SystemSet
        String keyId,

        @SystemSet @Nullable String userAgent,
        @SystemSet @Nullable String address,
        @SystemSet Instant expiresAt,
        @SystemSet @Nullable Instant lastUsedAt) {}
