package farm.gantry.api.database.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.database.AesGcm;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.description.OpenApiDescription;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FurnishedStore;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.notification.EventName;
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
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the upgrade of the last version's data folder. Data of a newer version or of another PostgreSQL stays
 * unchanged.
 */
@Tag("install")
final class UpgradeTest {
    /** The newest migration of the last released version; change only this line after a release. */
    private static final String LAST_VERSION = "67";

    private static final Map<String, Object> SETTINGS =
            Map.of("micronaut.server.port", -1, "gantry.rate-limit.per-minute", 0, "gantry.worker.in-process", false);
    /** Paths that are not compared: the endless stream, the audit log, and resources that the last version lacks. */
    private static final List<String> OTHERWISE = List.of(
            "/v1/stream",
            "/v1/audit-logs",
            "/v1/sessions",
            "/v1/sessions/current",
            "/v1/cost-corrections",
            "/v1/notification-channels");

    /** A channel as the last version stored it, with a column for each event. */
    private static final String EVENT_PER_COLUMN =
            """
            to_jsonb(t) || (select jsonb_object_agg(name, jsonb_exists(t.events::jsonb, name)) from unnest(array['%s']) name)""".formatted(Stream.of(EventName.values()).map(EventName::name).collect(Collectors.joining("','")));

    /** A schema comment with the digest of another build's migrations. */
    private static final String OTHER_DIGEST = "comment on schema farm is 'another'";

    private static final Pattern SEALED = Pattern.compile("sealed:v[0-9]+:[A-Za-z0-9+/=]+");

    @TempDir
    Path folder;

    private final FurnishedStore store = FurnishedStore.open();

    @BeforeEach
    void keepSecrets() throws IOException {
        Files.writeString(folder.resolve("pepper"), SharedApi.PEPPER);
        Files.writeString(folder.resolve("secret-key"), SharedApi.SECRET_KEY);
    }

    private LocalPostgres postgres() throws IOException {
        return LocalPostgres.start(folder.resolve("postgres"), Map.of("fsync", "off"));
    }

    @Test
    void recordsKeysAndSecretsSurviveAnUpgrade() throws Exception {
        try (LocalPostgres postgres = postgres()) {
            execute(postgres.ownerUrl("postgres"), "create database gantry");
            Flyway.configure()
                    .dataSource(postgres.ownerUrl("gantry"), null, null)
                    .schemas("flyway")
                    .locations("classpath:db/migration")
                    .target(LAST_VERSION)
                    .load()
                    .migrate();
            copyStore(postgres.ownerUrl("gantry"));
        }
        Map<String, List<String>> before = ids(new Socket());
        assertThat(before.values().stream().filter(ids -> !ids.isEmpty()).count())
                .isGreaterThan(20);
        try (StandaloneServer machine = StandaloneServer.start(folder, SETTINGS)) {
            assertThat(machine.ownerKey()).isEmpty();
            Socket upgraded = new Socket(machine.url());
            assertThat(ids(upgraded)).isEqualTo(before);
            Client client = Client.of(upgraded, store.store().key());
            for (String path : List.of("/v1/parts", "/v1/printers", "/v1/jobs", "/v1/orders", "/v1/skus")) {
                for (String id : before.getOrDefault(path, List.of())) {
                    assertThat(client.get(path + "/" + id).status()).as(path).isEqualTo(200);
                }
            }
            assertThat(secrets(machine.ownerUrl(), machine.context().getBean(Secrets.class)))
                    .isEqualTo(secrets(SharedApi.ownerUrl(), SharedApi.bean(Secrets.class)))
                    .isNotEmpty();
            client.made("/v1/folders", "{\"name\":\"more\",\"type\":\"part\"}");
            Answer channels = client.get("/v1/settings/notifications");
            assertThat(channels.at("[0].onOrderCreatedManual")).isEqualTo(true);
            assertThat(channels.at("[0].onJobFailed")).isEqualTo(false);
        }
    }

    /** Returns the ids in every list that the owner can read. */
    private Map<String, List<String>> ids(Socket socket) {
        Client client = Client.of(socket, store.store().key());
        Map<String, List<String>> ids = new TreeMap<>();
        Map<?, ?> paths = (Map<?, ?>) Objects.requireNonNull(
                SharedApi.bean(OpenApiDescription.class).tree().get("paths"));
        paths.forEach((path, operations) -> {
            String target = String.valueOf(path);
            if (target.contains("{") || OTHERWISE.contains(target) || !((Map<?, ?>) operations).containsKey("get")) {
                return;
            }
            Answer answer = client.get(target);
            if (answer.status() == 200 && answer.text().startsWith("[")) {
                ids.put(target, answer.each("id"));
            }
        });
        return ids;
    }

    /** Copies the store's rows to the last version's schema, without the columns and tables that it lacks. */
    private void copyStore(String old) throws SQLException {
        try (Connection from = DriverManager.getConnection(SharedApi.ownerUrl());
                Connection to = DriverManager.getConnection(old);
                Statement statement = to.createStatement()) {
            statement.execute("set session_replication_role = replica");
            for (String table : texts(to, """
                    select table_name from information_schema.columns where table_schema = 'farm'
                      and column_name = 'storeId' union select 'store'""")) {
                String key = table.equals("store") ? "id" : "\"storeId\"";
                if (!exists(from, table)) {
                    continue;
                }
                String columns = String.join(",", texts(to, """
                        select quote_ident(column_name) from information_schema.columns
                        where table_schema = 'farm' and table_name = ? and is_generated = 'NEVER'""", table));
                String json = table.equals("notificationSetting") ? EVENT_PER_COLUMN : "to_json(t)";
                for (String row : texts(
                        from,
                        "select " + json + " from farm.\"" + table + "\" t where " + key + " = ?",
                        store.store().id().value())) {
                    try (PreparedStatement insert = to.prepareStatement("insert into farm.\"" + table
                            + "\" (" + columns + ") overriding system value select " + columns
                            + " from json_populate_record(null::farm.\"" + table + "\", ?::json)")) {
                        insert.setString(1, sealedWithTheFirstKey(row));
                        insert.execute();
                    }
                }
            }
            statement.execute("""
                    select setval(pg_get_serial_sequence(format('farm.%I', table_name), column_name), 1000000000)
                    from information_schema.columns where table_schema = 'farm' and is_identity = 'YES'""");
        }
    }

    private static String sealedWithTheFirstKey(String row) {
        AesGcm first = new AesGcm(Base64.getDecoder().decode(SharedApi.SECRET_KEY));
        return SEALED.matcher(row)
                .replaceAll(match -> "sealed:v1:"
                        + first.encrypt(
                                Client.utf8(SharedApi.bean(Secrets.class).decrypt(match.group()))));
    }

    private static boolean exists(Connection connection, String table) throws SQLException {
        return !texts(connection, "select table_name from information_schema.tables where table_name = ?", table)
                .isEmpty();
    }

    private List<String> secrets(String url, Secrets secrets) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            List<String> clear = new ArrayList<>();
            for (String table : List.of("notificationSetting", "integration", "printer")) {
                texts(
                                connection,
                                "select to_json(t) from farm.\"" + table + "\" t where \"storeId\" = ? order by id",
                                store.store().id().value())
                        .forEach(row -> SEALED.matcher(row)
                                .results()
                                .forEach(match -> clear.add(table + " " + secrets.decrypt(match.group()))));
            }
            return clear;
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
            assertThat(texts(connection, "select id from farm.store")).isEmpty();
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

    private static List<String> texts(Connection connection, String sql, String... values) throws SQLException {
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
