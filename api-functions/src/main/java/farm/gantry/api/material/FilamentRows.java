package farm.gantry.api.material;

import farm.gantry.api.database.AdvisoryLock;
import farm.gantry.api.database.Tx;
import farm.gantry.job.PrintJob;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;

/**
 * Filament data of spools and printers' slots that is derived from the records they refer to, and references to
 * filament.
 */
@Singleton
public final class FilamentRows {
    /** Locks what spools and slots say of their filament, before any of them, or of their materials and variants. */
    public void lock(Tx tx) {
        tx.lockExclusive(AdvisoryLock.FILAMENTS);
    }

    /** The first parts and option values of SKUs and unfinished jobs that choose one of the materials, variants or groups, as table and id. */
    public List<String> findChoosing(Tx tx, List<String> ids) {
        String store = tx.store().value();
        String pattern = String.join("|", ids);
        return tx.texts("""
                select chooser from (
                  select 'linkedPart ' || id as chooser from farm."linkedPart"
                  where "storeId" = ? and "materialAssignments"::text ~ ?
                  union all
                  select 'skuOptionPropertyValue ' || id from farm."skuOptionPropertyValue"
                  where "storeId" = ? and "materialValue"::text ~ ?
                  union all
                  select 'printJob ' || id from farm."printJob"
                  where "storeId" = ? and status not in ('Completed', 'Failed', 'Cancelled')
                    and "materialAssignments"::text ~ ?) each limit 10""", store, pattern, store, pattern, store, pattern);
    }

    /**
     * Has spools say the material of their variant and its type, and slots what their spool, variant or material says, which are
     * locked; returns printer → its places that said something else.
     */
    public Map<String, List<PrintJob.Slot>> updateReferences(Tx tx) {
        String store = tx.store().value();
        tx.update("""
                update farm."materialInstance" t set "materialId" = w."materialId", "materialType" = w.type,
                  "updatedAt" = greatest(now(), t."updatedAt" + interval '1 ms')
                from (
                  select i.id, m.id as "materialId", m.type from farm."materialInstance" i
                  left join farm."materialVariant" v on v."storeId" = i."storeId" and v.id = i."variantId"
                  join farm.material m on m."storeId" = i."storeId" and m.id = coalesce(v."materialId", i."materialId")
                  where i."storeId" = ?) w
                where t."storeId" = ? and t.id = w.id
                  and (t."materialId", t."materialType") is distinct from (w."materialId", w.type)""", store, store);
        return tx.group("""
                update farm."printerSlot" t set "variantId" = w."variantId", "materialId" = w."materialId",
                  "materialType" = w.type, "updatedAt" = greatest(now(), t."updatedAt" + interval '1 ms')
                from (
                  select s.id, said."variantId", m.id as "materialId", coalesce(m.type, said.type) as type
                  from farm."printerSlot" s
                  left join farm."materialInstance" i on i."storeId" = s."storeId" and i.id = s."instanceId"
                  cross join lateral (
                    select i."variantId", i."materialId", i."materialType" as type where i.id is not null
                    union all
                    select s."variantId", s."materialId", s."materialType" where i.id is null) said
                  left join farm."materialVariant" v on v."storeId" = s."storeId" and v.id = said."variantId"
                  left join farm.material m on m."storeId" = s."storeId" and m.id = coalesce(v."materialId", said."materialId")
                  where s."storeId" = ?) w
                where t."storeId" = ? and t.id = w.id and (t."variantId", t."materialId", t."materialType")
                  is distinct from (w."variantId", w."materialId", w.type)
                returning t."printerId", t."amsIndex", t."slotIndex\"""", rows -> new PrintJob.Slot(rows.getInt(2), rows.getInt(3)), store, store);
    }
}
