package farm.gantry.api.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.queue.WorkLoop;
import java.net.URI;
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
                        .in(store.id(), tx -> tx.query("select id from farm.\"eventPublisher\"", rows -> rows.next())));
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
    void unknownBrokerSchemeIsRejected() {
        assertThatThrownBy(() -> events(URI.create("ssl://broker.example:8883")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gantry.events.broker.url must be mqtts://");
    }
}
