package farm.gantry.api.sequence;

import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;

/** Which parts of SKUs are bound to sequences; the bindings are JSON, so no foreign key tells. */
@Singleton
public final class SequenceRows {
    /** The first parts of SKUs bound to one of these ids or names that no sequence has any more. */
    public List<String> partsWithMissingSequence(Tx tx, Collection<String> idsAndNames) {
        return tx.texts("""
                select 'linkedPart ' || p.id from farm."linkedPart" p where p."storeId" = ? and exists (
                  select from json_each_text(p."sequenceBindings"::json) b
                  where b.value = any(?) and not exists (
                    select from farm.sequence s where s."storeId" = p."storeId" and b.value in (s.id, s.name)))
                order by p.id limit 10""", tx.store().value(), idsAndNames.toArray(String[]::new));
    }
}
