package farm.gantry.apikey;

import farm.gantry.Permission;
import farm.gantry.annotation.Example;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A sign-in with an API key in a browser. It has the permissions of the key, until the key is deleted or {@code expiresAt} has passed. The
 * audit log shows the name that was given at sign-in.
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
