package farm.gantry.api.audit;

import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;

/** Statements on the audit log of all stores. */
@Singleton
public final class AuditRows {
    /** Records a change that a printer reported, made without a key. */
    public void recordPrinterChange(
            Tx tx, String entityType, String entityId, String printerId, String before, String after) {
        tx.update("""
                insert into farm."auditLog" ("storeId", id, "createdAt", "updatedAt", action, "entityType", "entityId", "keyId",
                  "keyName", before, after)
                select p."storeId", substr(replace(gen_random_uuid()::text, '-', ''), 1, 24), now(), now(), 'updated', ?, ?,
                  p.id, p.name, ?::json, ?::json
                from farm.printer p where p."storeId" = ? and p.id = ?""", entityType, entityId, before, after, tx.store().value(), printerId);
    }
}
