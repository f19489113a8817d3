package farm.gantry.api.stream;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.StreamClient;
import farm.gantry.api.main.postgres.LocalPostgres;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** Tests event streams of a database that is dumped and restored into another cluster, whose transaction ids are others. */
@Tag("long")
final class StreamEpochTest {
    private static final String DATABASE = "moved";
    private static final String TABLES = """
            select relname from pg_class where relnamespace = 'farm'::regnamespace and relkind = 'r' order by relname""";
    private static final String MOVE = """
            insert into farm."jobMove" ("storeId", "printJobId", status, attempt) values (?, ?, 'Pending', 0)""";

    @TempDir
    Path folder;

    private final SharedApi.Store store = SharedApi.newStore();

    @Test
    void positionExpiresWhenTheDatabaseIsMovedToAnotherCluster() throws Exception {
        String printer = new FakeAgent(store, new Socket()).printer("K", "");
        String before = readyId(SharedApi.url());
        assertThat(before.split("-", -1)).hasSize(3);
        move(SharedApi.bean(Database.class), "unseen");
        try (LocalPostgres postgres = LocalPostgres.start(folder, Map.of("fsync", "off"))) {
            postgres.prepareDatabase(DATABASE);
            dumpAndRestore(SharedApi.ownerUrl(), postgres.ownerUrl(DATABASE));
            passTransactionsOf(before, postgres.ownerUrl(DATABASE));
            try (ApplicationContext moved = SharedApi.another(Map.of(
                    "datasources.default.url",
                    postgres.url(DATABASE),
                    "datasources.default.password",
                    postgres.password(),
                    "gantry.stream.poll-interval",
                    "50ms"))) {
                String url = moved.getBean(EmbeddedServer.class).getURL().toString();
                String after;
                try (StreamClient events = resume(url, before)) {
                    assertThat(events.next().name()).isEqualTo("reset");
                    assertThat(events.next().at("printerId")).isEqualTo(printer);
                    after = events.until(event -> event.name().equals("ready")).id();
                }
                move(moved.getBean(Database.class), "new");
                try (StreamClient events = resume(url, after)) {
                    StreamClient.Event event = events.next();
                    assertThat(event.name()).isEqualTo("jobMoved");
                    assertThat(event.at("printJobId"))
                            .as("neither skips nor repeats")
                            .isEqualTo("new");
                }
                try (StreamClient events = resume(SharedApi.url(), after)) {
                    assertThat(events.next().name()).as("in the former cluster").isEqualTo("reset");
                }
            }
        }
        try (StreamClient events = resume(SharedApi.url(), before)) {
            assertThat(events.next().at("printJobId")).as("was not moved").isEqualTo("unseen");
        }
    }

    private String readyId(String url) throws Exception {
        try (StreamClient events = StreamClient.openAt(url, store.key(), "")) {
            return events.until(event -> event.name().equals("ready")).id();
        }
    }

    private StreamClient resume(String url, String id) throws Exception {
        return StreamClient.openAt(url, store.key(), "?events=printerState,jobMoved", "Last-Event-ID", id);
    }

    private void move(Database database, String job) {
        database.in(store.id(), tx -> tx.update(MOVE, store.id().value(), job));
    }

    /** Copies the rows and sequences of one consistent snapshot. */
    private static void dumpAndRestore(String from, String to) throws Exception {
        try (Connection source = DriverManager.getConnection(from);
                Connection target = DriverManager.getConnection(to)) {
            source.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            source.setAutoCommit(false);
            execute(target, "set session_replication_role = replica");
            CopyManager dump = source.unwrap(PGConnection.class).getCopyAPI();
            CopyManager restore = target.unwrap(PGConnection.class).getCopyAPI();
            for (String table : texts(target, TABLES)) {
                execute(target, "delete from farm.\"" + table + "\"");
                ByteArrayOutputStream rows = new ByteArrayOutputStream();
                dump.copyOut("copy farm.\"" + table + "\" to stdout", rows);
                restore.copyIn("copy farm.\"" + table + "\" from stdin", new ByteArrayInputStream(rows.toByteArray()));
            }
            for (String set : texts(source, """
                    select format('select setval(%L, %s)', 'farm.' || quote_ident(sequencename), last_value)
                    from pg_sequences where schemaname = 'farm' and last_value is not null""")) {
                execute(target, set);
            }
        }
    }

    /** Uses transaction ids until the position would be one of the past. */
    private static void passTransactionsOf(String position, String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            execute(connection, """
                    do $$ begin
                      while pg_current_xact_id()::text::bigint < %s + 1000 loop
                        commit;
                      end loop;
                    end $$""".formatted(position.substring(0, position.indexOf('-'))));
        }
    }

    private static List<String> texts(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
