package farm.gantry.api.database;

import farm.gantry.Id;
import farm.gantry.annotation.References.OnDelete;
import farm.gantry.api.error.Fault;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.Reference;
import farm.gantry.api.query.Relation;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.beans.BeanProperty;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Checks references before the database's foreign keys do, so that errors name fields. */
final class ReferenceCheck<R> {
    private static final int MAX_NAMED = 10;

    private record ReferenceProperty<R>(Reference reference, BeanProperty<R, Object> property) {
        private String name() {
            return reference.column().name();
        }
    }

    private final Columns<R> columns;
    private final List<ReferenceProperty<R>> properties = new ArrayList<>();

    ReferenceCheck(Columns<R> columns) {
        this.columns = columns;
        BeanIntrospection<R> shape = BeanIntrospection.getIntrospection(columns.type());
        for (Reference reference : columns.references()) {
            if (reference.onDelete() != OnDelete.KEEP_ID) {
                properties.add(new ReferenceProperty<>(
                        reference, shape.getRequiredProperty(reference.column().name(), Object.class)));
            }
        }
    }

    /** Whether the record refers to another. */
    boolean hasReferences(R record) {
        return properties.stream().anyMatch(each -> each.property().get(record) != null);
    }

    /** Throws if the record refers to missing records, naming each field. */
    void checkWritten(Tx tx, R record) {
        checkWritten(tx, List.of(record), _ -> "");
    }

    /** Checks many records; faults name each record's index. */
    void checkWritten(Tx tx, List<R> records) {
        checkWritten(tx, records, i -> "[" + i + "].");
    }

    /** Checks the records of one change; faults name each field once, without an index. */
    void checkChanged(Tx tx, List<R> records) {
        checkWritten(tx, records, _ -> "");
    }

    private void checkWritten(Tx tx, List<R> records, IntFunction<String> before) {
        check(tx, records, (each, record) -> (String) each.property().get(record), before);
    }

    /** Checks single columns. */
    void checkChanged(Tx tx, Map<String, ?> changes) {
        check(
                tx,
                List.of(changes),
                (each, changed) -> changed.get(each.name()) instanceof String id ? id : null,
                _ -> "");
    }

    /** Checks the references of a body that may be otherwise invalid. */
    void checkBody(Tx tx, JsonNode body) {
        check(tx, List.of(body), ReferenceCheck::id, _ -> "");
    }

    private static @Nullable String id(ReferenceProperty<?> each, JsonNode body) {
        JsonNode named = body.get(each.name());
        return named != null && named.isString() && Id.isValid(named.getStringValue()) ? named.getStringValue() : null;
    }

    private <T> void check(
            Tx tx, List<T> all, BiFunction<ReferenceProperty<R>, T, @Nullable String> id, IntFunction<String> before) {
        SequencedSet<Fault> faults = new LinkedHashSet<>();
        for (ReferenceProperty<R> each : properties) {
            String[] ids = all.stream()
                    .map(one -> id.apply(each, one))
                    .filter(Objects::nonNull)
                    .distinct()
                    .toArray(String[]::new);
            if (ids.length > 0) {
                Set<String> missing = findMissing(
                        tx, each.reference().table(), each.reference().type(), ids);
                for (int i = 0; i < all.size() && !missing.isEmpty(); i++) {
                    String named = id.apply(each, all.get(i));
                    if (named != null && missing.contains(named)) {
                        faults.add(fault(each.reference(), before.apply(i), named));
                    }
                }
            }
        }
        if (!faults.isEmpty()) {
            throw new ProblemException(new Problem.Invalid(List.copyOf(faults)));
        }
    }

    private static Fault fault(Reference reference, String before, String id) {
        String path = before + reference.column().name();
        String noun = reference.type().isEmpty() ? reference.name() : reference.type() + " " + reference.table();
        return new Fault(path, "unknown", path + ": there is no " + noun + " " + id);
    }

    /** Returns the ids without a record in the table, or without one of the type if that is not empty. */
    static Set<String> findMissing(Tx tx, String table, String type, String[] ids) {
        List<Object> values = new ArrayList<>(List.of(ids, tx.store().value()));
        if (!type.isEmpty()) {
            values.add(type);
        }
        return new LinkedHashSet<>(tx.texts(
                "select wanted.id from unnest(?::text[]) wanted(id) where not exists (select from farm.\"" + table
                        + "\" t where t.\"storeId\"=? and t.id=wanted.id" + (type.isEmpty() ? "" : " and t.type=?")
                        + ")",
                values.toArray()));
    }

    /** Throws if other records refer to these, naming them. */
    void checkNotReferenced(Tx tx, List<String> ids) {
        List<String> needed = new ArrayList<>();
        for (Relation relation : Relation.referringTo(columns, OnDelete.RESTRICT)) {
            String own = relation.target().table().equals(columns.table()) ? " and not t.id=any(?)" : "";
            List<Object> values = new ArrayList<>(List.of(tx.store().value(), ids.toArray(String[]::new)));
            if (!own.isEmpty()) {
                values.add(ids.toArray(String[]::new));
            }
            needed.addAll(tx.list(
                    "select t.id from " + SqlStatement.fromClause(relation.target())
                            + " t where t.\"storeId\"=? and t.\""
                            + relation.there().name() + "\"=any(?)" + own + " limit " + MAX_NAMED,
                    rows -> relation.target().table() + " " + rows.getString(1),
                    values.toArray()));
        }
        if (!needed.isEmpty()) {
            throw ProblemException.stillReferenced(needed);
        }
    }
}
