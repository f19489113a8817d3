package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.queue.QueueMessageRows;
import farm.gantry.api.schedule.Scheduler;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the wall around a store that moves, and what is copied of it. */
@Tag("install")
final class MovedStoresTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final SharedApi.Store store = SharedApi.newStore();
    private final Client client = Client.of(new Socket(), store.key());
    private final MovedStores moves = SharedApi.bean(MovedStores.class);
    private final Database database = SharedApi.bean(Database.class);

    /** A transaction that began before the mark may enter the store and write after it. */
    @Test
    void exportWaitsForTransactionsThatBeganBefore() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Integer> writer = threads.submit(() -> database.in(store.id(), tx -> {
                entered.countDown();
                await(go);
                return tx.update(
                        "insert into farm.\"ignoredSku\" (\"storeId\", sku) values (?, 'late')",
                        store.id().value());
            }));
            entered.await();
            Future<Map<String, String>> export = threads.submit(() -> {
                begin();
                return read();
            });
            try {
                Eventually.until(
                        "the store is marked", () -> client.get("/v1/printers").status() == 503);
                assertThat(export.isDone()).isFalse();
            } finally {
                go.countDown();
            }
            assertThat(writer.get()).isEqualTo(1);
            assertThat(export.get().get("ignoredSku")).contains("late");
        }
        assertThatThrownBy(() -> database.in(store.id(), tx -> tx.texts("select 'x'")))
                .matches(Database::isStoreMoved);
        assertThatThrownBy(() -> SharedApi.bean(Scheduler.class).runRound(store.id()))
                .matches(Database::isStoreMoved);
        moves.undo(store.id().value());
        assertThat(client.get("/v1/printers").status()).isEqualTo(200);
        assertThatThrownBy(() -> moves.undo(store.id().value())).hasMessageContaining("nothing to undo");
        assertThatThrownBy(() -> moves.announce(store.id().value(), "https://new.example"))
                .hasMessageContaining("export it first");
    }

    @Test
    void queuedRequestsStayAndAreCopiedToTheOutbox() {
        QueueMessageRows queue = SharedApi.bean(QueueMessageRows.class);
        queue.add("made-up", null, "{\"storeId\": \"" + store.id() + "\"}");
        begin();
        assertThat(queue.take("made-up", "nobody", Duration.ofSeconds(1))).isEmpty();
        assertThat(read().get("outbox")).contains("made-up");
        moves.undo(store.id().value());
        assertThat(queue.take("made-up", "nobody", Duration.ofSeconds(1))).isPresent();
    }

    @Test
    void announcedAddressIsFinal() {
        begin();
        moves.announce(store.id().value(), "https://new.example");
        assertThatThrownBy(this::begin).hasMessageContaining("is at https://new.example already");
        assertThatThrownBy(() -> moves.undo(store.id().value())).hasMessageContaining("https://new.example");
        assertThat(client.get("/v1/printers").status()).isEqualTo(421);
    }

    /** A new table is copied by itself; one that stays behind needs a reason. */
    @Test
    void everyTableOfAStoreIsCopiedOrHasAReasonToStay() throws SQLException {
        begin();
        List<String> tables = new ArrayList<>(read().keySet());
        tables.addAll(StoreRecords.NOT_MOVED.keySet());
        assertThat(tables)
                .containsExactlyInAnyOrderElementsOf(
                        texts(
                                "select table_name from information_schema.columns where table_schema = 'farm' and column_name = 'storeId'"));
    }

    /** The hash of a token has its salt beside it. */
    @Test
    void everyColumnWithAPepperIsRenumbered() throws SQLException {
        assertThat(texts("""
                        select distinct table_name from information_schema.columns
                        where table_schema = 'farm' and column_name in ('salt', 'tokenSalt')""")).containsExactlyInAnyOrderElementsOf(StoreRecords.PEPPERED.keySet());
    }

    private void begin() {
        try {
            moves.begin(store.id().value(), TIMEOUT);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Map<String, String> read() {
        Map<String, String> rows = new TreeMap<>();
        SharedApi.bean(StoreRecords.class)
                .read(
                        store.id(),
                        row -> row,
                        (table, bytes) -> rows.put(table, new String(bytes.readAllBytes(), StandardCharsets.UTF_8)));
        return rows;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> texts(String sql) throws SQLException {
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl());
                Statement statement = owner.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return Database.texts(rows);
        }
    }
}
