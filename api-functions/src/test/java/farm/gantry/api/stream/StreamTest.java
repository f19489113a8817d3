package farm.gantry.api.stream;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.StreamClient;
import farm.gantry.printer.Printer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests a store's event stream over a socket. */
final class StreamTest {
    private final SharedApi.Store store = SharedApi.newStore();
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());
    private final Client client = fakeAgent.client();

    private static final String FLOOR = "?events=printerState,jobMoved";

    private StreamClient open(String query, String... headers) throws Exception {
        return StreamClient.open(store.key(), query, headers);
    }

    private StreamClient after(String id) throws Exception {
        return open(FLOOR, "Last-Event-ID", id);
    }

    private void shows(String printer, String status) {
        fakeAgent.exchange(List.of(), List.of(), List.of(fakeAgent.report(printer, status, Map.of(), List.of())));
    }

    private static void assertMoved(StreamClient.Event event, String job, String from, String to) {
        assertThat(event.name()).isEqualTo("jobMoved");
        assertThat(event.at("printJobId")).isEqualTo(job);
        assertThat(event.at("previousStatus")).isEqualTo(from);
        assertThat(event.at("status")).isEqualTo(to);
    }

    @Test
    void streamStartsWithAllPrintersAndContinuesWithEvents() throws Exception {
        String printer = fakeAgent.printer("K", "");
        shows(printer, "idle");
        try (StreamClient events = open(FLOOR)) {
            StreamClient.Event first = events.next();
            assertThat(first.name()).isEqualTo("printerState");
            assertThat(first.at("printerId")).isEqualTo(printer);
            assertThat(first.at("state.status")).isEqualTo("idle");
            assertThat(events.next().name()).isEqualTo("ready");

            String job = fakeAgent.job("");
            StreamClient.Event added = events.until(event -> event.name().equals("jobMoved"));
            assertMoved(added, job, "null", "Pending");
            fakeAgent.round();
            StreamClient.Event sent = events.until(event -> "Sending-to-printer".equals(event.at("status")));
            assertThat(sent.at("assignedPrinterId")).isEqualTo(printer);
            fakeAgent.happened(printer, "jobStarted", job);
            assertMoved(events.next(), job, "Sending-to-printer", "Printing");
            shows(printer, "printing");
            StreamClient.Event printing = events.next();
            assertThat(printing.at("state.status")).isEqualTo("printing");
            fakeAgent.change(Printer.class, printer, Map.of("isOnline", false));
            StreamClient.Event lost = events.next();
            assertThat(lost.at("state.status")).isEqualTo("offline");
            assertThat(lost.at("state.connectionReason")).isEqualTo("its agent cannot be reached");
        }
    }

    /** Returns the next event after the initial idle states, which may be repeated. */
    private static StreamClient.Event next(StreamClient events) throws Exception {
        return events.until(event -> !"idle".equals(event.at("state.status")));
    }

    @Test
    void streamResumesAfterAnyEvent() throws Exception {
        String printer = fakeAgent.printer("K", "");
        shows(printer, "idle");
        List<StreamClient.Event> received;
        try (StreamClient events = open(FLOOR)) {
            String ready = events.until(event -> event.name().equals("ready")).id();
            client.post(
                    "/v2/builds",
                    "{\"parts\":[{\"partId\":\"" + ReadyParts.uploaded(store, client) + "\",\"quantity\":3}]}");
            shows(printer, "printing");
            received = List.of(next(events), next(events), next(events), next(events));
            assertThat(received).extracting(StreamClient.Event::name).containsOnlyOnce("printerState");
            try (StreamClient again = after(ready)) {
                for (StreamClient.Event event : received) {
                    assertThat(next(again).data()).isEqualTo(event.data());
                }
            }
        }
        for (int i = 0; i < received.size() - 1; i++) {
            try (StreamClient again = after(received.get(i).id())) {
                assertThat(next(again).data()).isEqualTo(received.get(i + 1).data());
            }
        }
    }

    @Test
    void unknownPositionRestartsTheStream() throws Exception {
        String printer = fakeAgent.printer("K", "");
        shows(printer, "idle");
        long now = Instant.now().getEpochSecond();
        for (String id : List.of("3-0-" + (now - 100_000), "999999999999-0-" + now)) {
            try (StreamClient events = after(id)) {
                assertThat(events.next().name()).isEqualTo("reset");
                assertThat(events.next().at("printerId")).isEqualTo(printer);
                assertThat(events.next().name()).isEqualTo("ready");
            }
        }
    }

    @Test
    void quietStreamSendsHeartbeatsWithItsPosition() throws Exception {
        try (StreamClient events = open(FLOOR)) {
            assertThat(events.next().name()).isEqualTo("ready");
            StreamClient.Event quiet = events.heard();
            assertThat(quiet.name()).isEmpty();
            assertThat(quiet.data()).isEmpty();
            try (StreamClient again = after(quiet.id())) {
                String job = fakeAgent.job("");
                assertMoved(again.next(), job, "null", "Pending");
            }
        }
    }

    @Test
    void streamIsFilteredByPermissionAndEndsOnRevocation() throws Exception {
        String printer = fakeAgent.printer("K", "");
        shows(printer, "idle");
        Answer made = client.post("/v1/api-keys", "{\"name\":\"v\",\"permissions\":[\"queue.view\"]}");
        String key = String.valueOf(made.at("key"));
        try (StreamClient events = StreamClient.open(key, "")) {
            assertThat(events.next().name()).isEqualTo("ready");
            shows(printer, "printing");
            String job = fakeAgent.job("");
            assertMoved(events.next(), job, "null", "Pending");
            client.patch("/v1/api-keys/" + made.at("id"), "{\"active\":false}");
            events.awaitEnd();
        }
    }

    @Test
    void reducedPermissionsApplyToAnOpenStream() throws Exception {
        Answer made = client.post("/v1/api-keys", "{\"name\":\"v\",\"permissions\":[\"queue.view\",\"printer.view\"]}");
        String key = String.valueOf(made.at("key"));
        try (StreamClient events = StreamClient.open(key, "")) {
            assertThat(events.next().name()).isEqualTo("ready");
            client.patch("/v1/api-keys/" + made.at("id"), "{\"permissions\":[\"queue.view\"]}");
            events.awaitEnd();
        }
        try (StreamClient events = StreamClient.open(key, "")) {
            assertThat(events.next().name()).isEqualTo("ready");
        }
    }

    @Test
    void headRequestOfAStreamOccupiesNoSlot() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(client.send("HEAD", "/v1/stream", new byte[0]).status()).isEqualTo(200);
        }
        try (StreamClient events = StreamClient.openWhenThereIsRoom(store.key())) {
            assertThat(events.next().name()).isEqualTo("ready");
        }
    }

    @Test
    void streamExcludesOtherStores() throws Exception {
        try (StreamClient events = open(FLOOR)) {
            assertThat(events.next().name()).isEqualTo("ready");
            FakeAgent other = new FakeAgent(SharedApi.newStore(), new Socket());
            String theirs = other.printer("theirs", "");
            other.exchange(List.of(), List.of(), List.of(other.report(theirs, "idle", Map.of(), List.of())));
            other.job("");
            String ours = fakeAgent.job("");
            assertMoved(events.next(), ours, "null", "Pending");
        }
    }

    @Test
    void compressedStreamIsFlushed() throws Exception {
        try (StreamClient events = open("?events=jobMoved", "Accept-Encoding", "gzip")) {
            assertThat(events.next().name()).isEqualTo("ready");
            String job = fakeAgent.job("");
            assertMoved(events.next(), job, "null", "Pending");
        }
    }

    @Test
    void streamDisablesProxyBuffering() {
        assertThat(client.send("HEAD", "/v1/stream", new byte[0]).header("X-Accel-Buffering"))
                .isEqualTo("no");
    }

    @Test
    void numberOfOpenStreamsIsLimited() throws Exception {
        try (StreamClient first = open(FLOOR);
                StreamClient second = open(FLOOR)) {
            try (StreamClient third = open(FLOOR)) {
                assertThat(List.of(first.next(), second.next(), third.next()))
                        .extracting(StreamClient.Event::name)
                        .containsOnly("ready");
                assertThat(client.get("/v1/stream").status()).isEqualTo(429);
            }
            try (StreamClient fourth = StreamClient.openWhenThereIsRoom(store.key())) {
                assertThat(fourth.next().name()).isEqualTo("ready");
            }
        }
    }

    @Test
    void disconnectedClientDoesNotBreakADatabaseConnection() throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger streams = (Logger) LoggerFactory.getLogger("farm.gantry.api.stream");
        log.start();
        streams.setLevel(Level.WARN);
        streams.addAppender(log);
        Map<String, Object> settings = Map.of(
                "gantry.stream.max-per-store",
                1,
                "gantry.database.lock-timeout",
                "120s",
                "gantry.database.statement-timeout",
                "120s");
        try (ApplicationContext another = SharedApi.another(settings);
                Connection owner = DriverManager.getConnection(SharedApi.ownerUrl());
                Statement statement = owner.createStatement()) {
            String url = another.getBean(EmbeddedServer.class).getURL().toString();
            StreamClient leaving = StreamClient.openWhenThereIsRoom(url, store.key());
            assertThat(leaving.next().name()).isEqualTo("ready");
            owner.setAutoCommit(false);
            statement.execute("lock table farm.\"recordChange\" in access exclusive mode");
            Eventually.until("a poll waits for the table lock", () -> isWaitedFor(statement));
            leaving.close();
            StreamClient next = StreamClient.openWhenThereIsRoom(url, store.key());
            owner.rollback();
            assertThat(next.next().name()).isEqualTo("ready");
            next.close();
            assertThat(log.list).isEmpty();
        } finally {
            streams.detachAppender(log);
            streams.setLevel(null);
        }
    }

    private static boolean isWaitedFor(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery(
                "select exists (select from pg_locks where relation = 'farm.\"recordChange\"'::regclass and not granted)")) {
            return rows.next() && rows.getBoolean(1);
        }
    }

    @Test
    void changesOfPartsNeedTheirPermission() throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(new Socket(), store.key());
        try (StreamClient events = StreamClient.open(store.key(), "?events=partChanged,orderChanged")) {
            events.until(event -> event.name().equals("ready"));
            String part = ReadyParts.uploaded(store, client);
            StreamClient.Event created = events.until(event -> event.name().equals("partChanged"));
            assertThat(created.at("id")).isEqualTo(part);
            assertThat(created.at("change")).isEqualTo("created");
            client.delete("/v1/parts/" + part);
            assertThat(events.until(event -> event.at("change").equals("deleted"))
                            .at("id"))
                    .isEqualTo(part);
            String order = String.valueOf(client.post("/v1/orders", "{\"order\":{\"orderNumber\":\"7\"}}")
                    .at("order.id"));
            StreamClient.Event ordered = events.until(event -> event.name().equals("orderChanged"));
            assertThat(ordered.at("id")).isEqualTo(order);
            assertThat(ordered.at("type")).isEqualTo("order");
        }
    }

    @Test
    void transactionLargerThanABatchIsStreamedCompletely() throws Exception {
        try (StreamClient events = open("?events=jobMoved,orderChanged")) {
            events.until(event -> event.name().equals("ready"));
            SharedApi.bean(Database.class).in(store.id(), tx -> {
                tx.update("""
                        insert into farm."jobMove" ("storeId", "printJobId", status, attempt)
                        select ?, 'job' || number, 'Pending', 0 from generate_series(1, 2500) number""", store.id().value());
                return tx.update("""
                        insert into farm."recordChange" ("storeId", type, "recordId", change)
                        values (?, 'order', 'last', 'updated')""", store.id().value());
            });
            List<String> movedIds = new ArrayList<>();
            StreamClient.Event event = events.next();
            while (event.name().equals("jobMoved")) {
                movedIds.add(event.at("printJobId"));
                event = events.next();
            }
            assertThat(movedIds).hasSize(2500).doesNotHaveDuplicates();
            assertThat(event.at("id")).isEqualTo("last");
        }
    }
}
