package farm.gantry.api.database.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.main.postgres.LocalPostgres;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a start checks the schema only when other migrations created it. */
@Tag("install")
final class MigrationDigestTest {
    @TempDir
    Path folder;

    private Optional<String> digest(Map<String, String> files) throws IOException {
        Path archive = folder.resolve("some.jar");
        try (OutputStream stream = Files.newOutputStream(archive);
                ZipOutputStream zip = new ZipOutputStream(stream)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
        return MigrationDigest.of(archive);
    }

    private static Map<String, String> with(Map<String, String> files, String name, String text) {
        Map<String, String> more = new TreeMap<>(files);
        more.put(name, text);
        return more;
    }

    @Test
    void digestDependsOnlyOnTheMigrations() throws IOException {
        Map<String, String> migrations =
                Map.of("db/migration/V1__farm.sql", "create schema farm", "db/migration/V2__two.sql", "select 2");
        Optional<String> digest = digest(migrations);
        assertThat(digest).isPresent();
        assertThat(digest(with(migrations, "Other.class", "code"))).isEqualTo(digest);
        assertThat(digest(with(migrations, "db/migration/V2__two.sql", "select 3")))
                .isPresent()
                .isNotEqualTo(digest);
        assertThat(digest(with(migrations, "db/migration/V3__three.sql", "")))
                .isPresent()
                .isNotEqualTo(digest);
        assertThat(digest(Map.of("Other.class", "code"))).isEmpty();
    }

    @Test
    void schemaOfOtherOrUnknownMigrationsIsChecked() throws Exception {
        try (LocalPostgres postgres = LocalPostgres.start(folder, Map.of("fsync", "off"))) {
            execute(postgres.ownerUrl("postgres"), "create role chief login superuser password 'chief'");
            execute(postgres.ownerUrl("postgres"), "create database gantry");
            String owner = postgres.ownerUrl("gantry");
            migrate(postgres, Optional.of("one"));
            execute(owner, """
                    insert into flyway.flyway_schema_history
                    select installed_rank + 1, '99990101000000', 'newer', type, 'V99990101000000__newer.sql', checksum, installed_by, installed_on,
                      execution_time, success
                    from flyway.flyway_schema_history order by installed_rank desc limit 1""");
            assertThatCode(() -> migrate(postgres, Optional.of("one"))).doesNotThrowAnyException();
            for (Optional<String> other : List.of(Optional.of("two"), Optional.<String>empty())) {
                assertThatThrownBy(() -> migrate(postgres, other)).isInstanceOf(Schema.NewerSchemaException.class);
            }

            execute(
                    owner,
                    "delete from flyway.flyway_schema_history where version = '99990101000000';"
                            + " delete from flyway.flyway_schema_history where installed_rank = 1");
            assertThatCode(() -> migrate(postgres, Optional.of("one"))).doesNotThrowAnyException();
            for (String each : new String[] {"two", "one"}) {
                assertThatThrownBy(() -> migrate(postgres, Optional.of(each)))
                        .as("after a migration that failed")
                        .isInstanceOf(FlywayException.class);
            }
        }
    }

    private static void migrate(LocalPostgres postgres, Optional<String> digest) {
        Schema.migrate(postgres.url("gantry"), "chief", "chief", digest);
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
