package farm.gantry.api.queue;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.SharedApi;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the dispatch of messages from the database to every kind of queue. */
public interface OutboxDispatchContract {
    OutboxDispatcher dispatch();

    /** Creates a queue and returns its name. */
    String newQueue();

    /** Returns the bodies of all messages in the queue and deletes them. */
    List<String> drained(String queue);

    private static void add(SharedApi.Store store, String queue, List<String> bodies) {
        SharedApi.bean(Database.class).in(store.id(), tx -> {
            bodies.forEach(body -> SharedApi.bean(OutboxRows.class).add(tx, queue, body));
            return queue;
        });
    }

    @Test
    default void committedMessageIsSentOnce() {
        String queue = newQueue();
        List<String> bodies = IntStream.range(0, 23)
                .mapToObj(number -> "{\"number\": " + number + "}")
                .toList();
        add(SharedApi.newStore(), queue, bodies);
        dispatch().relay();
        dispatch().relay();
        assertThat(drained(queue)).containsExactlyInAnyOrderElementsOf(bodies);
    }

    @Test
    default void dispatchOfAStoreSendsOnlyItsMessages() {
        String queue = newQueue();
        SharedApi.Store store = SharedApi.newStore();
        add(store, queue, List.of("1"));
        add(SharedApi.newStore(), queue, List.of("2"));
        dispatch().relay(store.id());
        assertThat(drained(queue)).containsExactly("1");
        dispatch().relay();
        assertThat(drained(queue)).containsExactly("2");
    }

    @Test
    default void rolledBackMessageIsNotSent() {
        String queue = newQueue();
        SharedApi.Store store = SharedApi.newStore();
        try {
            SharedApi.bean(Database.class).in(store.id(), tx -> {
                SharedApi.bean(OutboxRows.class).add(tx, queue, "{}");
                throw new IllegalStateException("no");
            });
        } catch (IllegalStateException expected) {
            assertThat(expected).hasMessage("no");
        }
        dispatch().relay();
        assertThat(drained(queue)).isEmpty();
    }

    @Test
    default void concurrentDispatchesSendEachMessageOnce() throws InterruptedException {
        String queue = newQueue();
        List<String> bodies = IntStream.range(0, 40)
                .mapToObj(number -> "{\"number\": " + number + "}")
                .toList();
        add(SharedApi.newStore(), queue, bodies);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.ofPlatform().start(() -> dispatch().relay()));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(drained(queue)).containsExactlyInAnyOrderElementsOf(bodies);
    }

    @Test
    default void largeMessageIsSent() {
        String queue = newQueue();
        String body = "\"" + "x".repeat(100_000) + Id.next() + "\"";
        add(SharedApi.newStore(), queue, List.of(body, body, body, body));
        dispatch().relay();
        assertThat(drained(queue)).containsExactly(body, body, body, body);
    }
}
