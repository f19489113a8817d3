package farm.gantry.audit;

import farm.gantry.Permission;
import farm.gantry.Resource;
import farm.gantry.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change that somebody made by an API key: which one, from which address, and what it changed. {@code sessionName} is the
 * name that was given at sign-in, if it was made in a session. The weight of a spool that a printer corrected has the printer
 * in place of the key. {@code before} and {@code after} hold the fields that differ,
 * secrets masked; what was created has no {@code before}, what was deleted no {@code after}.
 */
@Serdeable
@Resource(table = "auditLog", view = Permission.AUDIT_VIEW)
public record AuditLog(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @SystemSet Action action,
        @SystemSet String entityType,
        @SystemSet String entityId,
        @SystemSet String keyId,
        @SystemSet @Nullable String keyName,
        @SystemSet @Nullable String sessionName,
        @SystemSet @Nullable String address,
        @SystemSet @Nullable String requestId,
        @SystemSet @Nullable Map<String, Object> before,
        @SystemSet @Nullable Map<String, Object> after) {

    @Serdeable
    public enum Action {
        created,
        updated,
        deleted
    }
}
