package farm.gantry.api.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.json.Tree;
import io.micronaut.core.type.Argument;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Tests events with an MQTT broker that rejects some of them. */
@ResourceLock("eventPublisher")
final class MqttEventPublisherTest {
    private static final int NOT_AUTHORIZED = 0x87;
    private static final int QUOTA_EXCEEDED = 0x97;

    private final SharedApi.Store store = SharedApi.newStore();

    private static MqttEventPublisher events(URI broker) {
        return new MqttEventPublisher(
                new EventBrokerSettings(broker, null, null),
                SharedApi.bean(Database.class),
                SharedApi.bean(ChangeRows.class),
                SharedApi.bean(ChangeEventReader.class),
                SharedApi.bean(RecordMessages.class),
                SharedApi.bean(EventPublisherRows.class),
                SharedApi.bean(StreamSettings.class));
    }

    /** Changes an order; returns the topic that tells of it. */
    private String change(String order) {
        SharedApi.bean(Database.class)
                .in(store.id(), tx -> tx.update("""
                insert into farm."recordChange" ("storeId", type, "recordId", change)
                values (?, 'order', ?, 'updated')""", store.id().value(), order));
        return "stores/" + store.id() + "/entities/order/" + order;
    }

    /** Waits until publishing has begun; changes from before are not published. */
    private void awaitBegun() {
        Eventually.until(
                "the publisher's position is stored",
                () -> SharedApi.bean(Database.class)
                        .in(
                                store.id(),
                                tx -> tx.query(
                                        "select id from farm.\"eventPublisher\" where id = 'mqtt'",
                                        rows -> rows.next())));
    }

    @Test
    void rejectedEventIsSkippedWithoutBlockingOthers() throws Exception {
        try (RefusingBroker broker =
                new RefusingBroker(message -> message.topic().endsWith("/refused") ? NOT_AUTHORIZED : 0)) {
            MqttEventPublisher events = events(broker.url());
            try (WorkLoop loop = events.start()) {
                assertThat(loop).isNotNull();
                awaitBegun();
                String refused = change("refused");
                Eventually.until(
                        "the event is rejected",
                        () -> !broker.published(refused).isEmpty());
                String next = change("next");
                Eventually.until(
                        "the next event is published",
                        () -> !broker.published(next).isEmpty());
                String last = change("last");
                Eventually.until(
                        "the last event is published",
                        () -> !broker.published(last).isEmpty());
                assertThat(broker.published(refused)).hasSize(1);
                assertThat(broker.published(next)).hasSize(1);
            } finally {
                events.close();
            }
        }
    }

    @Test
    void eventOverTheBrokersQuotaIsRepublished() throws Exception {
        AtomicInteger over = new AtomicInteger(2);
        try (RefusingBroker broker = new RefusingBroker(
                message -> message.topic().endsWith("/limited") && over.getAndDecrement() > 0 ? QUOTA_EXCEEDED : 0)) {
            MqttEventPublisher events = events(broker.url());
            try (WorkLoop loop = events.start()) {
                assertThat(loop).isNotNull();
                awaitBegun();
                String limited = change("limited");
                Eventually.until(
                        "it is published until it is acknowledged",
                        () -> broker.published(limited).size() == 3);
                String last = change("last");
                Eventually.until(
                        "the last event is published",
                        () -> !broker.published(last).isEmpty());
                assertThat(broker.published(limited)).hasSize(3);
            } finally {
                events.close();
            }
        }
    }

    @Test
    void unacknowledgedEventIsRepublishedOnANewConnection() throws Exception {
        try (RefusingBroker broker = new RefusingBroker(message ->
                message.connection() == 1 && message.topic().endsWith("/unanswered") ? RefusingBroker.NO_ANSWER : 0)) {
            MqttEventPublisher events = events(broker.url());
            try (WorkLoop loop = events.start()) {
                assertThat(loop).isNotNull();
                awaitBegun();
                String unanswered = change("unanswered");
                Eventually.until(
                        "it is published again",
                        () -> broker.published(unanswered).size() > 1);
                String last = change("last");
                Eventually.until(
                        "the last event is published",
                        () -> !broker.published(last).isEmpty());
                assertThat(broker.published(unanswered))
                        .extracting(RefusingBroker.Published::connection)
                        .containsExactly(1, 2);
            } finally {
                events.close();
            }
        }
    }

    @Test
    void recordChangesArePublishedWithTheRecords() throws Exception {
        try (RefusingBroker broker = new RefusingBroker(_ -> 0)) {
            MqttEventPublisher events = events(broker.url());
            try (WorkLoop loop = events.start()) {
                assertThat(loop).isNotNull();
                awaitBegun();
                FakeAgent agent = new FakeAgent(store, new Socket());
                String printer = agent.printer("Shelf", FakeAgent.FIRMWARE_K + ", \"api_key\": \"hush\"", "");
                assertThat(entity(broker, "printers", "INSERT", printer))
                        .containsEntry("name", "Shelf")
                        .containsKey("confirmedReady");
                agent.client().patch("/v1/printers/" + printer + "/rename", "{\"name\":\"Top\"}");
                Eventually.until(
                        "the renamed printer is published",
                        () -> changes(broker, "printers", printer).stream()
                                .anyMatch(change -> "Top".equals(change.get("name"))));
                assertThat(entity(broker, "printers", "UPDATE", printer)).containsKey("isAvailable");

                String part = ReadyParts.uploaded(store, agent.client());
                entity(broker, "parts", "INSERT", part);
                String job = agent.job("");
                assertThat(entity(broker, "jobs", "INSERT", job)).containsEntry("status", "Pending");
                agent.client().patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + job + "\"]}");
                Eventually.until(
                        "the cancelled job is published",
                        () -> changes(broker, "jobs", job).stream()
                                .anyMatch(change -> "Cancelled".equals(change.get("status"))));
                for (String type : List.of("sku", "material", "folder", "order")) {
                    note(type, "gone", "deleted");
                    assertThat(entity(broker, type + "s", "DELETE", "gone")).isEqualTo(Map.of("id", "gone"));
                }
                assertThat(broker.published("stores/" + store.id() + "/printer-stats/" + printer))
                        .extracting(RefusingBroker.Published::text)
                        .anySatisfy(text -> assertThat(text)
                                .contains("\"isOnline\":true", "\"metadata\":{\"name\":\"Top\"}", "\"errors\":[]"));
                assertThat(broker.published())
                        .noneMatch(message -> message.text().contains("hush"));
            } finally {
                events.close();
            }
        }
    }

    @Test
    void manyRecordsOfOneChangeShareMessagesOfLimitedSize() throws Exception {
        try (RefusingBroker broker = new RefusingBroker(_ -> 0)) {
            MqttEventPublisher events = events(broker.url());
            try (WorkLoop loop = events.start()) {
                assertThat(loop).isNotNull();
                awaitBegun();
                SharedApi.bean(Database.class)
                        .in(store.id(), tx -> tx.update("""
                        insert into farm."recordChange" ("storeId", type, "recordId", change)
                        select ?, 'folder', 'folder' || number, 'deleted' from generate_series(1, 1500) number""", store.id().value()));
                entity(broker, "folders", "DELETE", "folder1500");
                List<RefusingBroker.Published> messages =
                        broker.published("stores/" + store.id() + "/entities/folders");
                assertThat(messages)
                        .hasSizeLessThan(20)
                        .allMatch(message -> message.text().length() <= MqttEventPublisher.MAX_BYTES);
                assertThat(messages.stream()
                                .flatMap(message -> Tree.object(tree(message), "entities").keySet().stream()))
                        .hasSize(1500)
                        .doesNotHaveDuplicates();
            } finally {
                events.close();
            }
        }
    }

    private void note(String type, String id, String change) {
        SharedApi.bean(Database.class)
                .in(store.id(), tx -> tx.update("""
                insert into farm."recordChange" ("storeId", type, "recordId", change)
                values (?, ?, ?, ?)""", store.id().value(), type, id, change));
    }

    /** Returns the latest published record of the action, waiting for the first. */
    private Map<String, Object> entity(RefusingBroker broker, String type, String action, String id) {
        Eventually.until(
                action + " of " + type + " is published",
                () -> !entities(broker, type, action, id).isEmpty());
        return entities(broker, type, action, id).getLast();
    }

    private List<Map<String, Object>> entities(RefusingBroker broker, String type, String action, String id) {
        return messages(broker, type).stream()
                .filter(message -> action.equals(message.get("action"))
                        && Tree.object(message, "entities").containsKey(id))
                .map(message -> Tree.object(message, "entities", id))
                .toList();
    }

    private List<Map<String, Object>> changes(RefusingBroker broker, String type, String id) {
        return messages(broker, type).stream()
                .map(message -> Tree.object(message, "changes", id))
                .toList();
    }

    private List<Map<String, Object>> messages(RefusingBroker broker, String type) {
        return broker.published("stores/" + store.id() + "/entities/" + type).stream()
                .map(MqttEventPublisherTest::tree)
                .toList();
    }

    private static Map<String, Object> tree(RefusingBroker.Published message) {
        return SharedApi.bean(JsonCodec.class).read(message.text(), Argument.mapOf(String.class, Object.class));
    }

    @Test
    void unknownBrokerSchemeIsRejected() {
        assertThatThrownBy(() -> events(URI.create("ssl://broker.example:8883")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gantry.events.broker.url must be mqtts://");
    }
}
