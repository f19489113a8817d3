package farm.gantry.api.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.query.Column;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.FieldType;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.type.Argument;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that every resource record matches the table of its name. */
final class ResourceRecordsTest {
    private record StoredColumn(String type, boolean nullable, boolean computed) {}

    /** The resource records, found once because the scan of all classes is slow. */
    private static final List<Class<?>> RECORDS = new ClassFileImporter()
            .importPackages("farm.gantry").stream()
                    .filter(each -> each.isAnnotatedWith(Resource.class))
                    .<Class<?>>map(each -> each.reflect())
                    .toList();

    static List<Class<?>> records() {
        return RECORDS;
    }

    @ParameterizedTest
    @MethodSource("records")
    void recordBeginsWithIdStoreAndTimestamps(Class<?> record) {
        assertThat(Columns.of(record).all().subList(0, 4))
                .extracting(Column::name)
                .containsExactly("id", "storeId", "createdAt", "updatedAt");
        assertThat(Columns.of(record).all().subList(0, 4)).allMatch(Column::systemSet);
    }

    @ParameterizedTest
    @MethodSource("records")
    void componentHasAColumnOfItsType(Class<?> record) throws SQLException {
        Columns<?> columns = Columns.of(record);
        Map<String, StoredColumn> stored = storedColumns(columns.table());
        assertThat(stored).as("the table " + columns.table()).isNotEmpty();
        Argument<?>[] components = BeanIntrospection.getIntrospection(record).getConstructorArguments();
        for (int i = 0; i < components.length; i++) {
            Column column = columns.get(components[i].getName());
            assertThat(column.name()).matches("[a-z][A-Za-z0-9]*");
            StoredColumn found = Objects.requireNonNull(stored.get(column.name()), column.name());
            assertThat(found.type()).as(column.name()).isIn(types(column.type()));
            assertThat(found.computed()).as(column.name()).isEqualTo(column.computed());
            if (!column.computed()) {
                assertThat(found.nullable()).as(column.name()).isEqualTo(components[i].isNullable());
            }
        }
    }

    /** Compares the foreign keys with PostgreSQL's description of their action on deletion. */
    @ParameterizedTest
    @MethodSource("records")
    void referencesHaveForeignKeys(Class<?> record) throws SQLException {
        Columns<?> columns = Columns.of(record);
        Map<String, String> expected = columns.references().stream()
                .filter(reference -> reference.onDelete() != References.OnDelete.KEEP_ID)
                .collect(Collectors.toMap(
                        reference -> reference.column().name(),
                        reference -> reference.table() + " " + reference.onDelete()));
        assertThat(foreignKeys(columns.table())).isEqualTo(expected);
    }

    private static Map<String, String> foreignKeys(String table) throws SQLException {
        Map<String, String> keys = new HashMap<>();
        try (Connection connection = DriverManager.getConnection(SharedApi.databaseUrl());
                PreparedStatement statement = connection.prepareStatement("""
                        select a.attname, f.relname || case k.confdeltype
                                 when 'a' then ' RESTRICT' when 'n' then ' SET_NULL' when 'c' then ' CASCADE' end
                        from pg_constraint k join pg_class f on f.oid = k.confrelid
                          join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
                          join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[2]
                        where k.contype = 'f' and n.nspname = 'farm' and c.relname = ? and cardinality(k.conkey) = 2
                        """)) {
            statement.setString(1, table);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    keys.put(rows.getString(1), rows.getString(2));
                }
            }
        }
        return keys;
    }

    /** PostgreSQL rejects an index entry of more than about 2,700 bytes, which would be an internal error. */
    @ParameterizedTest
    @MethodSource("records")
    void indexedTextsAreLimited(Class<?> record) throws SQLException {
        Columns<?> columns = Columns.of(record);
        Set<String> indexed = indexed(columns.table());
        BeanIntrospection<?> shape = BeanIntrospection.getIntrospection(record);
        for (Argument<?> component : shape.getConstructorArguments()) {
            Column column = columns.get(component.getName());
            boolean free = (column.type() == FieldType.TEXT || column.type() == FieldType.TEXTS)
                    && !column.systemSet()
                    && indexed.contains(column.name());
            AnnotationMetadata marks = shape.getRequiredProperty(component.getName(), component.getType())
                    .getAnnotationMetadata();
            if (free && !marks.hasAnnotation(Pattern.class)) {
                AnnotationMetadata text = column.type() == FieldType.TEXT
                        ? marks
                        : shape.getRequiredProperty(component.getName(), component.getType())
                                .asArgument()
                                .getTypeParameters()[0]
                                .getAnnotationMetadata();
                assertThat(text.intValue(Size.class, "max").orElse(Integer.MAX_VALUE))
                        .as(columns.table() + "." + column.name() + ", at four bytes a character")
                        .isLessThanOrEqualTo(500);
            }
        }
    }

    private static Set<String> indexed(String table) throws SQLException {
        Set<String> names = new HashSet<>();
        try (Connection connection = DriverManager.getConnection(SharedApi.databaseUrl());
                PreparedStatement statement = connection.prepareStatement("""
                        select a.attname from pg_index i join pg_class t on t.oid = i.indrelid
                          join pg_namespace n on n.oid = t.relnamespace
                          join pg_attribute a on a.attrelid = t.oid and (a.attnum = any(i.indkey) or exists (
                            select from pg_depend d where d.objid = i.indexrelid and d.refobjid = t.oid
                              and d.refobjsubid = a.attnum and d.deptype = 'a'))
                        where n.nspname = 'farm' and t.relname = ?
                        """)) {
            statement.setString(1, table);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
            }
        }
        return names;
    }

    /** Every table is audited, and columns that are not in the record may be secret. */
    @ParameterizedTest
    @MethodSource("records")
    void auditExcludesSecrets(Class<?> record) throws SQLException {
        Columns<?> columns = Columns.of(record);
        Set<String> secret = storedColumns(columns.table()).keySet().stream()
                .filter(name -> name.matches("(?i).*(salt|hash|secret|token|password).*"))
                .collect(Collectors.toSet());
        columns.all().stream()
                .filter(column -> !column.secret())
                .map(Column::name)
                .forEach(secret::remove);
        Map<String, Set<String>> hidden = hiddenFromAudit(columns.table());
        if (LOGS.contains(columns.table())) {
            assertThat(hidden).isEmpty();
        } else {
            assertThat(hidden.keySet()).contains("audit_updated", "audit_deleted");
            assertThat(hidden.values()).allSatisfy(names -> assertThat(names).containsAll(secret));
        }
    }

    /** Lists the records that only the program writes, such as logs. */
    private static final Set<String> LOGS = Set.of("auditLog", "webhookDelivery", "skuCost");

    private static Map<String, Set<String>> hiddenFromAudit(String table) throws SQLException {
        Map<String, Set<String>> hidden = new HashMap<>();
        try (Connection connection = DriverManager.getConnection(SharedApi.databaseUrl());
                PreparedStatement statement = connection.prepareStatement("""
                        select t.tgname, string_to_array(encode(t.tgargs, 'escape'), '\\000')
                        from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
                        where n.nspname = 'farm' and c.relname = ? and t.tgname like 'audit\\_%'""")) {
            statement.setString(1, table);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Set<String> names =
                            new HashSet<>(List.of((String[]) rows.getArray(2).getArray()));
                    names.remove("");
                    hidden.put(rows.getString(1), names);
                }
            }
        }
        return hidden;
    }

    private static Set<String> types(FieldType type) {
        return switch (type) {
            case TEXT, CHOICE -> Set.of("text");
            case INTEGER -> Set.of("integer", "bigint");
            case DECIMAL -> Set.of("double precision");
            case FLAG -> Set.of("boolean");
            case INSTANT -> // what a function returns has no precision of its own
                Set.of("timestamp with time zone(3)", "timestamp with time zone");
            case TEXTS, JSON -> Set.of("json", "jsonb");
        };
    }

    private static Map<String, StoredColumn> storedColumns(String table) throws SQLException {
        Map<String, StoredColumn> columns = new HashMap<>();
        try (Connection connection = DriverManager.getConnection(SharedApi.databaseUrl());
                PreparedStatement statement = connection.prepareStatement("""
                        select column_name, data_type || coalesce('(' || datetime_precision || ')', ''),
                               is_nullable = 'YES', is_generated = 'ALWAYS'
                        from information_schema.columns where table_schema = 'farm' and table_name = ?
                        union all -- a function of the row is read as a column, too
                        select p.proname, format_type(p.prorettype, null), false, true
                        from pg_proc p join pg_type t on t.oid = p.proargtypes[0]
                        where p.pronamespace = 'public'::regnamespace and t.typnamespace = 'farm'::regnamespace and t.typname = ?
                        """)) {
            statement.setString(1, table);
            statement.setString(2, table);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    columns.put(
                            rows.getString(1),
                            new StoredColumn(rows.getString(2), rows.getBoolean(3), rows.getBoolean(4)));
                }
            }
        }
        return columns;
    }
}
