package farm.gantry.audit;

import farm.gantry.Permission;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit log: who changed what, with which API key and from which address. {@code sessionName} is the name given at sign-in,
 * if the change was made in a session. If a printer corrected the weight of a spool, the printer is named instead of a key. {@code before}
 * and {@code after} hold only the fields that changed, with secrets masked; {@code before} is absent for a created record, {@code after}
 * for a deleted one.
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
