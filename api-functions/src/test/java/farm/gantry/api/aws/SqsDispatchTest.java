package farm.gantry.api.aws;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.queue.OutboxDispatchContract;
import farm.gantry.api.queue.OutboxDispatcher;
import farm.gantry.api.queue.OutboxRows;
import farm.gantry.api.queue.RejectedRequestHandler;
import farm.gantry.api.queue.Wakeups;
import farm.gantry.ingest.function.emulator.Queues;
import farm.gantry.ingest.function.emulator.SdkSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** Tests the dispatch of messages to queues of ElasticMQ. */
@Tag("install")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SqsDispatchTest implements OutboxDispatchContract {
    private Queues queues;
    private String prefix;

    @BeforeAll
    void start() {
        queues = new Queues();
        String url = queues.newQueue();
        prefix = url.substring(0, url.lastIndexOf('/') + 1);
    }

    @AfterAll
    void stop() {
        queues.stop();
    }

    @Override
    public OutboxDispatcher dispatch() {
        return new SqsDispatch(
                SharedApi.bean(OutboxRows.class),
                SharedApi.bean(RejectedRequestHandler.class),
                queues.client(),
                settings());
    }

    private static SqsDispatch dispatch(QueueService service) {
        return new SqsDispatch(
                SharedApi.bean(OutboxRows.class),
                SharedApi.bean(RejectedRequestHandler.class),
                service.client(),
                new AwsSettings(SdkSettings.REGION, "", service.prefix(), null, null));
    }

    private static void add(SharedApi.Store store, String queue, String... bodies) {
        SharedApi.bean(Database.class).in(store.id(), tx -> {
            List.of(bodies).forEach(body -> SharedApi.bean(OutboxRows.class).add(tx, queue, body));
            return store;
        });
    }

    /** Deletes the store's waiting messages and returns their number. */
    private static int discarded(SharedApi.Store store) {
        return SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> tx.update(
                                "delete from farm.outbox where \"storeId\" = ?",
                                store.id().value()));
    }

    private AwsSettings settings() {
        return new AwsSettings(SdkSettings.REGION, "", prefix, null, null);
    }

    @Override
    public String newQueue() {
        return queues.newQueue().substring(prefix.length());
    }

    @Override
    public List<String> drained(String queue) {
        return queues.drained(prefix + queue);
    }

    @Test
    void messageGroupIsTheStore() {
        SharedApi.Store store = SharedApi.newStore();
        String queue = newQueue();
        add(store, queue, "{}");
        dispatch().relay();
        assertThat(groups(queue)).containsExactly(store.id().value());
    }

    @Test
    void messageGroupOfWakeupsIsTheStore() {
        SharedApi.Store store = SharedApi.newStore();
        String queue = Wakeups.Purpose.SCHEDULE.queue();
        queues.client().createQueue(request -> request.queueName(queue));
        new SqsWakeups(queues.client(), new WakeupRows(SharedApi.bean(Database.class)), settings(), Optional.empty())
                .wake(Wakeups.Purpose.SCHEDULE, store.id());
        assertThat(groups(queue)).containsExactly(store.id().value());
    }

    private Stream<@Nullable String> groups(String queue) {
        return queues.receive(prefix + queue).stream()
                .map(message -> message.attributes().get(MessageSystemAttributeName.MESSAGE_GROUP_ID));
    }

    @Test
    void charactersInvalidInSqsAreEscaped() {
        SharedApi.Store store = SharedApi.newStore();
        String queue = newQueue();
        add(store, queue, "[\"a\uFFFEb\uFFFFc\u007f\uFFFD\uD83D\uDE00\"]");
        dispatch().relay();
        assertThat(drained(queue)).containsExactly("[\"a\\ufffeb\\uffffc\u007f\uFFFD\uD83D\uDE00\"]");
    }

    @Test
    void missingQueueDoesNotBlockOthers() {
        SharedApi.Store store = SharedApi.newStore();
        String lost = Id.next();
        String queue = newQueue();
        SharedApi.bean(Database.class).in(store.id(), tx -> {
            for (int i = 0; i < 15; i++) {
                SharedApi.bean(OutboxRows.class).add(tx, lost, "{}");
            }
            SharedApi.bean(OutboxRows.class).add(tx, queue, "{}");
            return store;
        });
        dispatch().relay();
        assertThat(drained(queue)).containsExactly("{}");
        queues.client().createQueue(request -> request.queueName(lost));
        dispatch().relay();
        assertThat(drained(lost)).hasSize(15);
    }

    @Test
    void oversizedMessageIsDroppedAndDoesNotBlockOthers() {
        SharedApi.Store store = SharedApi.newStore();
        String queue = newQueue();
        add(store, queue, "\"" + "x".repeat(2 << 20) + "\"", "{}", "{}", "{}", "{}", "{}");
        dispatch().relay();
        assertThat(drained(queue)).containsExactly("{}", "{}", "{}", "{}", "{}");
        assertThat(discarded(store)).isZero();
    }

    @Test
    void messageRejectedInABatchIsDropped() throws IOException {
        SharedApi.Store store = SharedApi.newStore();
        try (QueueService service = new QueueService()) {
            add(store, "any", "\"first\"", "\"" + QueueService.BAD_ENTRY + "\"", "\"last\"");
            dispatch(service).relay();
            assertThat(service.taken()).contains("\"first\"", "\"last\"");
        }
        assertThat(discarded(store)).isZero();
    }

    @Test
    void validMessagesOfARejectedBatchAreSent() throws IOException {
        SharedApi.Store store = SharedApi.newStore();
        try (QueueService service = new QueueService()) {
            add(store, "any", "\"first\"", "\"" + QueueService.BAD_BATCH + "\"", "\"last\"");
            dispatch(service).relay();
            assertThat(service.taken()).contains("\"first\"", "\"last\"");
        }
        assertThat(discarded(store)).isZero();
    }

    @Test
    void roundEndsWhenSqsDoesNotAnswer() throws IOException {
        List<SharedApi.Store> stores = List.of(SharedApi.newStore(), SharedApi.newStore());
        String[] bodies = Collections.nCopies(15, "{}").toArray(String[]::new);
        stores.forEach(store -> add(store, QueueService.SILENT, bodies));
        try (QueueService service = new QueueService()) {
            long start = System.nanoTime();
            dispatch(service).relay();
            assertThat(service.requests())
                    .filteredOn(queue -> queue.endsWith("/" + QueueService.SILENT))
                    .hasSize(1);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(2));
        }
        assertThat(stores).extracting(SqsDispatchTest::discarded).containsExactly(15, 15);
    }
}
