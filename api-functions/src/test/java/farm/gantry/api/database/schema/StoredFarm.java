package farm.gantry.api.database.schema;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.flywaydb.core.Flyway;

/** A small farm in the schema of a version: its newest migration, its owner's key, and its rows as JSON with their tables. */
record StoredFarm(String schema, String key, List<String[]> rows) {
    static StoredFarm read(Path file) throws IOException {
        Map<Boolean, List<String[]>> lines = Files.readAllLines(file).stream()
                .map(line -> line.split(" ", 2))
                .collect(Collectors.partitioningBy(line -> line[1].startsWith("{")));
        List<String[]> head = lines.getOrDefault(false, List.of());
        return new StoredFarm(head.get(0)[1], head.get(1)[1], lines.getOrDefault(true, List.of()));
    }

    /** Creates the tables of the farm's version, and inserts its rows. */
    void load(String url) throws SQLException {
        Flyway.configure()
                .dataSource(url, null, null)
                .schemas("flyway")
                .locations("classpath:db/migration")
                .target(schema)
                .load()
                .migrate();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("set session_replication_role = replica");
            for (String[] row : rows) {
                String table = "farm.\"" + row[0] + "\"";
                String columns = columns(connection, row[0]);
                try (PreparedStatement insert = connection.prepareStatement("insert into " + table + " (" + columns
                        + ") overriding system value select " + columns + " from json_populate_record(null::"
                        + table
                        + ", ?::json)")) {
                    insert.setString(1, row[1]);
                    insert.execute();
                }
            }
            statement.execute("""
                    select setval(pg_get_serial_sequence(format('farm.%I', table_name), column_name), 1000000000)
                    from information_schema.columns where table_schema = 'farm' and is_identity = 'YES'""");
        }
    }

    /** Returns the columns of a table that an insert may set, quoted and separated by commas. */
    static String columns(Connection connection, String table) throws SQLException {
        return String.join(",", texts(connection, """
                select quote_ident(column_name) from information_schema.columns
                where table_schema = 'farm' and table_name = ? and is_generated = 'NEVER'""", table));
    }

    static List<String> texts(Connection connection, String sql, String... values) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    texts.add(rows.getString(1));
                }
            }
        }
        return texts;
    }
}
