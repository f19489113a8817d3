package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.fixture.SharedApi;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests row-level security with hand-written statements of the application's role. */
final class RowLevelSecurityTest {
    private final SharedApi.Store ours = SharedApi.newStore();
    private final SharedApi.Store theirs = SharedApi.newStore();

    private static Connection connected() throws SQLException {
        return DriverManager.getConnection(SharedApi.databaseUrl());
    }

    private static Connection within(SharedApi.Store store) throws SQLException {
        Connection connection = connected();
        try (PreparedStatement wall = connection.prepareStatement("select set_config('gantry.store', ?, false)")) {
            wall.setString(1, store.id().value());
            wall.execute();
        }
        return connection;
    }

    private static List<String> texts(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        }
    }

    private static final String STORE_TABLES = """
            select format('%I.%I', table_schema, table_name) from information_schema.columns
            where table_schema = 'farm' and column_name = 'storeId' and table_name <> 'deviceClaim'
            """;

    @Test
    void noTableShowsARowWithoutAStore() throws SQLException {
        try (Connection connection = connected()) {
            List<String> tables = texts(connection, STORE_TABLES);
            assertThat(tables).contains("farm.store", "farm.\"apiKey\"", "farm.part", "farm.\"printJob\"");
            for (String table : tables) {
                assertThat(texts(connection, "select \"storeId\" from " + table))
                        .as(table)
                        .isEmpty();
            }
        }
    }

    @Test
    void everyTableShowsOnlyRowsOfTheStore() throws SQLException {
        try (Connection connection = within(ours)) {
            for (String table : texts(connection, STORE_TABLES)) {
                assertThat(texts(connection, "select distinct \"storeId\" from " + table))
                        .as(table)
                        .isSubsetOf(ours.id().value());
            }
            assertThat(texts(connection, "select \"storeId\" from farm.\"apiKey\""))
                    .hasSize(1);
        }
    }

    @Test
    void rowOfAnotherStoreCannotBeWritten() throws SQLException {
        try (Connection connection = within(ours)) {
            for (String change : List.of(
                    "insert into farm.outbox (\"storeId\", id, queue, body) values ('%s', 'x', 'q', '{}')",
                    "update farm.\"apiKey\" set \"storeId\" = '%s'")) {
                try (PreparedStatement statement =
                        connection.prepareStatement(change.formatted(theirs.id().value()))) {
                    assertThatThrownBy(statement::execute).hasMessageContaining("row-level security");
                }
            }
            for (String change : List.of(
                    "update farm.\"apiKey\" set name = 'ours' where \"storeId\" = '%s'",
                    "delete from farm.\"apiKey\" where \"storeId\" = '%s'")) {
                try (PreparedStatement statement =
                        connection.prepareStatement(change.formatted(theirs.id().value()))) {
                    assertThat(statement.executeUpdate()).isZero();
                }
            }
        }
    }

    @Test
    void roleCannotDisableRowLevelSecurityOrReadClaimsOfAllStores() throws SQLException {
        try (Connection connection = connected()) {
            for (String statement : List.of(
                    "alter table farm.part disable row level security",
                    "select * from farm.\"deviceClaim\"",
                    "set role gantry_lookup",
                    "set role postgres",
                    "create table farm.mine (id text)")) {
                assertThatThrownBy(() -> connection.prepareStatement(statement).execute())
                        .as(statement)
                        .isInstanceOf(SQLException.class);
            }
        }
    }
}
