package farm.gantry.api.store;

import farm.gantry.References.Deletion;
import farm.gantry.api.error.Fault;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.Reference;
import farm.gantry.api.query.Relation;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.beans.BeanProperty;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.IntFunction;

/** Checks references before the database's foreign keys do, for errors that name fields. */
final class ReferenceCheck<R> {
    private static final int NAMED = 10;

    private record Held<R>(Reference reference, BeanProperty<R, Object> property) {}

    private final Columns<R> columns;
    private final List<Held<R>> held = new ArrayList<>();

    ReferenceCheck(Columns<R> columns) {
        this.columns = columns;
        BeanIntrospection<R> shape = BeanIntrospection.getIntrospection(columns.type());
        for (Reference reference : columns.references()) {
            if (reference.onDelete() != Deletion.FORGOTTEN) {
                held.add(new Held<>(
                        reference, shape.getRequiredProperty(reference.column().name(), Object.class)));
            }
        }
    }

    /** Whether the record refers to another. */
    boolean isHeldBy(R record) {
        return held.stream().anyMatch(each -> each.property().get(record) != null);
    }

    /** Refuses a record with references to missing records, naming each field. */
    void checkWritten(Tx tx, R record) {
        checkWritten(tx, List.of(record), _ -> "");
    }

    /** The same of each of many, by its place among them. */
    void checkWritten(Tx tx, List<R> records) {
        checkWritten(tx, records, i -> "[" + i + "].");
    }

    /** The same of many that one change made, without their places: each field is named once. */
    void checkChanged(Tx tx, List<R> records) {
        checkWritten(tx, records, _ -> "");
    }

    private void checkWritten(Tx tx, List<R> records, IntFunction<String> before) {
        SequencedSet<Fault> faults = new LinkedHashSet<>();
        for (Held<R> each : held) {
            String[] ids = records.stream()
                    .map(each.property()::get)
                    .filter(Objects::nonNull)
                    .map(String.class::cast)
                    .distinct()
                    .toArray(String[]::new);
            if (ids.length > 0) {
                Set<String> missing = missing(tx, each.reference().table(), ids);
                for (int i = 0; i < records.size() && !missing.isEmpty(); i++) {
                    Object id = each.property().get(records.get(i));
                    if (id != null && missing.contains(id)) {
                        faults.add(fault(each.reference(), before.apply(i), (String) id));
                    }
                }
            }
        }
        if (!faults.isEmpty()) {
            throw new ProblemException(new Problem.Invalid(List.copyOf(faults)));
        }
    }

    /** The same for single columns. */
    void checkChanged(Tx tx, Map<String, ?> changes) {
        List<Fault> faults = new ArrayList<>();
        for (Held<R> each : held) {
            if (changes.get(each.reference().column().name()) instanceof String id
                    && !missing(tx, each.reference().table(), new String[] {id}).isEmpty()) {
                faults.add(fault(each.reference(), "", id));
            }
        }
        if (!faults.isEmpty()) {
            throw new ProblemException(new Problem.Invalid(faults));
        }
    }

    private static Fault fault(Reference reference, String before, String id) {
        String path = before + reference.column().name();
        return new Fault(path, "unknown", path + ": there is no " + reference.name() + " " + id);
    }

    static Set<String> missing(Tx tx, String table, String[] ids) {
        return new LinkedHashSet<>(tx.texts(
                "select wanted.id from unnest(?::text[]) wanted(id) where not exists (select from farm.\"" + table
                        + "\" t where t.\"storeId\"=? and t.id=wanted.id)",
                ids,
                tx.store().value()));
    }

    /** Refuses to delete records that others refer to, naming those. */
    void checkDeleted(Tx tx, List<String> ids) {
        List<String> needed = new ArrayList<>();
        for (Relation relation : Relation.to(columns, Deletion.REFUSED)) {
            String own = relation.target().table().equals(columns.table()) ? " and not t.id=any(?)" : "";
            List<Object> values = new ArrayList<>(List.of(tx.store().value(), ids.toArray(String[]::new)));
            if (!own.isEmpty()) {
                values.add(ids.toArray(String[]::new));
            }
            needed.addAll(tx.list(
                    "select t.id from " + SqlStatement.from(relation.target()) + " t where t.\"storeId\"=? and t.\""
                            + relation.there().name() + "\"=any(?)" + own + " limit " + NAMED,
                    rows -> relation.target().table() + " " + rows.getString(1),
                    values.toArray()));
        }
        if (!needed.isEmpty()) {
            throw ProblemException.needed(needed);
        }
    }
}
