package farm.gantry.api.apikey;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the key check reads of a session that has not expired. */
public record SessionRow(
        String id,
        String storeId,
        String keyId,
        String name,
        String salt,
        String hash,
        @Nullable Instant lastUsedAt) {}
