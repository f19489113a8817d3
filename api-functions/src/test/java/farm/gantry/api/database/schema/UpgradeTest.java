package farm.gantry.api.database.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.database.AesGcm;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FurnishedStore;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.version.ProductVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the upgrade of small farms in the schemas of earlier versions. Data of a newer version or of another PostgreSQL stays
 * unchanged.
 */
@Tag("install")
final class UpgradeTest {
    private static final Path FARMS = Path.of("src/test/resources/upgrade");

    private static final Map<String, Object> SETTINGS =
            Map.of("micronaut.server.port", -1, "gantry.rate-limit.per-minute", 0, "gantry.worker.in-process", false);
    /** The routes of records that are kept until a person deletes them, by their tables. */
    private static final Map<String, String> ROUTES = Map.of(
            "part", "/v1/parts/",
            "printer", "/v1/printers/",
            "printJob", "/v1/print-jobs/",
            "order", "/v1/orders/",
            "sku", "/v1/skus/",
            "gcodeMacro", "/v1/macros/",
            "material", "/v1/materials/",
            "integration", "/v1/integrations/");

    /** A secret that {@link FurnishedStore} stores. */
    private static final String WEBHOOK_SECRET = "0123456789012345678901234567890123456789";

    /** A schema comment with the digest of another build's migrations. */
    private static final String OTHER_DIGEST = "comment on schema farm is 'another'";

    private static final Pattern SEALED = Pattern.compile("sealed:v[0-9]+:[A-Za-z0-9+/=]+");

    @TempDir
    Path folder;

    @BeforeEach
    void keepSecrets() throws IOException {
        Files.writeString(folder.resolve("pepper"), SharedApi.PEPPER);
        Files.writeString(folder.resolve("secret-key"), SharedApi.SECRET_KEY);
    }

    private LocalPostgres postgres() throws IOException {
        return LocalPostgres.start(folder.resolve("postgres"), Map.of("fsync", "off"));
    }

    static List<Path> farms() throws IOException {
        try (Stream<Path> files = Files.list(FARMS)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("farms")
    void recordsKeysAndSecretsSurviveAnUpgrade(Path file) throws Exception {
        StoredFarm farm = StoredFarm.read(file);
        Map<String, List<String>> before;
        List<String> secrets;
        try (LocalPostgres postgres = postgres()) {
            execute(postgres.ownerUrl("postgres"), "create database gantry");
            farm.load(postgres.ownerUrl("gantry"));
            before = ids(postgres.ownerUrl("gantry"));
            secrets = secrets(postgres.ownerUrl("gantry"));
        }
        assertThat(before.values())
                .hasSize(ROUTES.size())
                .allSatisfy(ids -> assertThat(ids).isNotEmpty());
        assertThat(secrets).isNotEmpty();
        try (StandaloneServer machine = StandaloneServer.start(folder, SETTINGS)) {
            assertThat(machine.ownerKey()).isEmpty();
            assertThat(ids(machine.ownerUrl())).isEqualTo(before);
            Client client = Client.of(new Socket(machine.url()), farm.key());
            before.forEach((table, ids) -> ids.forEach(id -> {
                Answer record = client.get(ROUTES.get(table) + id);
                assertThat(record.status()).as(table + " " + record.text()).isEqualTo(200);
            }));
            Secrets key = machine.context().getBean(Secrets.class);
            assertThat(secrets(machine.ownerUrl())).hasSameSizeAs(secrets);
            assertThat(secrets(machine.ownerUrl()).stream().map(key::decrypt)).contains(WEBHOOK_SECRET);
            client.made("/v1/folders", "{\"name\":\"more\",\"type\":\"part\"}");
            Answer channels = client.get("/v1/settings/notifications");
            assertThat(channels.at("[0].onOrderCreatedManual")).isEqualTo(true);
            assertThat(channels.at("[0].onJobFailed")).isEqualTo(false);
        }
    }

    /** Records a farm of this version, when it is released, for the upgrades to later ones. */
    @Test
    @EnabledIfSystemProperty(named = "upgrade", matches = "record")
    void farmOfThisVersionIsRecorded() throws Exception {
        FurnishedStore store = FurnishedStore.open();
        record(SharedApi.ownerUrl(), store.store(), FARMS.resolve(ProductVersion.CURRENT + ".txt"));
        assertThat(farms()).contains(FARMS.resolve(ProductVersion.CURRENT + ".txt"));
    }

    /** Writes the rows of a store, at most ten of each table, without empty columns, with their secrets encrypted by the first key. */
    static void record(String url, SharedApi.Store store, Path file) throws IOException, SQLException {
        List<String> lines = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url)) {
            lines.add("schema "
                    + StoredFarm.texts(
                                    connection,
                                    "select version from flyway.flyway_schema_history order by installed_rank desc limit 1")
                            .getFirst());
            lines.add("key " + store.key());
            for (String table : StoredFarm.texts(connection, """
                    select table_name from information_schema.columns where table_schema = 'farm'
                      and column_name = 'storeId' union select 'store' order by 1""")) {
                String key = table.equals("store") ? "id" : "\"storeId\"";
                StoredFarm.texts(
                                connection,
                                "select (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(t)) where value <> 'null')"
                                        + " from farm.\"" + table + "\" t where " + key
                                        + " = ? order by t::text limit 10", // the audit log is long
                                store.id().value())
                        .forEach(row -> lines.add(table + " " + encryptWithFirstKey(row)));
            }
        }
        Files.createDirectories(FARMS);
        Files.write(file, lines);
    }

    private static AesGcm firstKey() {
        return new AesGcm(Base64.getDecoder().decode(SharedApi.SECRET_KEY));
    }

    private static String encryptWithFirstKey(String row) {
        return SEALED.matcher(row)
                .replaceAll(match -> "sealed:v1:"
                        + firstKey()
                                .encrypt(Client.utf8(
                                        SharedApi.bean(Secrets.class).decrypt(match.group()))));
    }

    private static Map<String, List<String>> ids(String url) throws SQLException {
        Map<String, List<String>> ids = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection(url)) {
            for (String table : ROUTES.keySet()) {
                ids.put(table, StoredFarm.texts(connection, "select id from farm.\"" + table + "\" order by id"));
            }
        }
        return ids;
    }

    private static List<String> secrets(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            List<String> secrets = new ArrayList<>();
            for (String table : List.of("notificationSetting", "integration", "printer")) {
                StoredFarm.texts(connection, "select to_json(t) from farm.\"" + table + "\" t order by id")
                        .forEach(row -> SEALED.matcher(row).results().forEach(match -> secrets.add(match.group())));
            }
            return secrets;
        }
    }

    @Test
    void newerSchemaIsLeftUnchanged() throws Exception {
        try (LocalPostgres postgres = postgres()) {
            postgres.prepareDatabase("gantry");
            execute(postgres.ownerUrl("gantry"), """
                    insert into flyway.flyway_schema_history
                    select installed_rank + 1, '99990101000000', 'of tomorrow', 'SQL', 'V99990101000000__of_tomorrow.sql', 1, 'postgres',
                      now(), 1, true from flyway.flyway_schema_history order by installed_rank desc limit 1""", OTHER_DIGEST);
        }
        assertThatThrownBy(() -> StandaloneServer.start(folder, SETTINGS))
                .hasMessageContaining("newer version of Gantry")
                .hasMessageContaining("V99990101000000");
        try (LocalPostgres postgres = postgres();
                Connection connection = DriverManager.getConnection(postgres.ownerUrl("gantry"))) {
            assertThat(StoredFarm.texts(connection, "select id from farm.store"))
                    .isEmpty();
        }
    }

    @Test
    void schemaOfModifiedMigrationsIsRejected() throws Exception {
        try (LocalPostgres postgres = postgres()) {
            postgres.prepareDatabase("gantry");
            postgres.prepareDatabase("gantry");
            execute(
                    postgres.ownerUrl("gantry"),
                    "update flyway.flyway_schema_history set checksum = checksum + 1 where version = '1'",
                    OTHER_DIGEST);
            assertThatThrownBy(() -> postgres.prepareDatabase("gantry")).hasMessageContaining("checksum mismatch");
        }
    }

    @Test
    void dataOfAnotherPostgresVersionIsNotStarted() throws Exception {
        Path version = folder.resolve("postgres/data/PG_VERSION");
        Files.createDirectories(version.getParent());
        Files.writeString(version, "15\n");
        assertThatThrownBy(() -> StandaloneServer.start(folder, SETTINGS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was written by PostgreSQL 15")
                .hasMessageContaining("pg_upgrade");
        try (var left = Files.list(folder.resolve("postgres"))) {
            assertThat(left).containsExactly(folder.resolve("postgres/data"));
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
}
