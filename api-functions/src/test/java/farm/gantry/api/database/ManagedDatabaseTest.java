package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import farm.gantry.api.database.schema.Schema;
import farm.gantry.api.main.postgres.LocalPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the schema in a managed database such as Aurora, whose owner may create roles but is no superuser. */
@Tag("install")
final class ManagedDatabaseTest {
    private static final String NUMBER_OF_STORES = "select count(*)::text from farm.store";

    @TempDir
    Path folder;

    @Test
    void schemaIsCreatedAndChangedWithoutSuperuser() throws Exception {
        try (LocalPostgres postgres = LocalPostgres.start(folder, Map.of("fsync", "off"))) {
            execute(
                    postgres.ownerUrl("postgres"),
                    "create role keeper login createrole createdb password 'keeper'",
                    "create database gantry owner keeper");
            String url = postgres.url("gantry");
            String keeper = url + "?user=keeper&password=keeper";
            Schema.migrate(url, "keeper", "keeper", "letters");

            String api = url + "?user=gantry_app&password=letters";
            execute(
                    api,
                    "begin",
                    "select set_config('gantry.store', 'one', true)",
                    "insert into farm.store (\"storeId\", name) values ('one', 'One')",
                    "commit");
            assertThat(text(api, NUMBER_OF_STORES)).isEqualTo("0");
            assertThat(text(api, "select farm.all_stores()")).isEqualTo("one");
            assertThat(text(keeper, NUMBER_OF_STORES)).isEqualTo("1");
            assertThat(text(keeper, "select has_schema_privilege('gantry_lookup', 'farm', 'create')::text"))
                    .isEqualTo("false");
            assertThatCode(() -> Schema.migrate(url, "keeper", "keeper", "letters"))
                    .doesNotThrowAnyException();
        }
    }

    private static void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static String text(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
