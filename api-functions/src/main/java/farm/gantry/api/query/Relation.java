package farm.gantry.api.query;

import farm.gantry.annotation.References;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A relation to embed: the target's records whose column {@code there} equals this record's column {@code here}. */
public record Relation(String name, Columns<?> target, Column here, Column there, boolean many) {
    private record TableRelation(String table, Relation relation) {}

    private static final Map<String, Map<String, Relation>> BY_TABLE = findAll().stream()
            .collect(Collectors.groupingBy(
                    TableRelation::table,
                    Collectors.toUnmodifiableMap(owned -> owned.relation().name(), TableRelation::relation)));

    static Optional<Relation> find(Columns<?> columns, String name) {
        return Optional.ofNullable(of(columns).get(name));
    }

    /** Returns the relations of records that refer to the table and react in this way to a deletion there. */
    public static List<Relation> referringTo(Columns<?> columns, References.OnDelete onDelete) {
        return Columns.ofAllRecords().stream()
                .flatMap(other -> other.references().stream()
                        .filter(reference -> reference.table().equals(columns.table()))
                        .filter(reference -> reference.onDelete() == onDelete)
                        .map(reference ->
                                new Relation(reference.inverse(), other, columns.get("id"), reference.column(), true)))
                .toList();
    }

    /** Returns the relations of a table by name. */
    public static Map<String, Relation> of(Columns<?> columns) {
        return BY_TABLE.getOrDefault(columns.table(), Map.of());
    }

    private static List<TableRelation> findAll() {
        Map<String, Columns<?>> tables = Columns.ofAllRecords().stream()
                .collect(Collectors.toUnmodifiableMap(Columns::table, columns -> columns));
        List<TableRelation> relations = new ArrayList<>();
        for (Columns<?> columns : tables.values()) {
            for (Reference reference : columns.references()) {
                Columns<?> other = Optional.ofNullable(tables.get(reference.table()))
                        .orElseThrow(() -> new IllegalStateException("no record is kept in " + reference.table()));
                Column id = other.get("id");
                relations.add(new TableRelation(
                        columns.table(), new Relation(reference.name(), other, reference.column(), id, false)));
                if (!reference.inverse().isEmpty()) {
                    relations.add(new TableRelation(
                            other.table(), new Relation(reference.inverse(), columns, id, reference.column(), true)));
                }
            }
        }
        return relations;
    }
}
