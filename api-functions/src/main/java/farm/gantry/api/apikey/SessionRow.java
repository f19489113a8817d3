package farm.gantry.api.apikey;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The columns of an unexpired session that the key check reads. */
public record SessionRow(
        String id,
        String storeId,
        String keyId,
        String name,
        String salt,
        String hash,
        @Nullable Instant lastUsedAt) {}
