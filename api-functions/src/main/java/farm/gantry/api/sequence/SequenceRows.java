package farm.gantry.api.sequence;

import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;

/** Queries the linked parts that are bound to sequences. The bindings are JSON, so foreign keys cannot. */
@Singleton
public final class SequenceRows {
    /** Returns the first linked parts that are bound to one of these ids or names, for which there is no sequence any more. */
    public List<String> partsWithMissingSequence(Tx tx, Collection<String> idsAndNames) {
        return tx.texts("""
                select 'linkedPart ' || p.id from farm."linkedPart" p where p."storeId" = ? and exists (
                  select from json_each_text(p."sequenceBindings"::json) b
                  where b.value = any(?) and not exists (
                    select from farm.sequence s where s."storeId" = p."storeId" and b.value in (s.id, s.name)))
                order by p.id limit 10""", tx.store().value(), idsAndNames.toArray(String[]::new));
    }
}
