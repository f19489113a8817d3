package farm.gantry.edge.session;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.session.PushConnection.MessageQueue;
import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class PushConnectionTest {
    private static final int MEGABYTE = 1 << 20;
    private static final int MANY = 100;

    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private final CompletableFuture<Integer> read = new CompletableFuture<>();

    private record Open() implements Closeable {
        @Override
        public void close() {}
    }

    /** A protocol whose messages are a megabyte each. */
    private interface MegabyteProtocol extends PushConnection.Protocol<Open, Integer> {
        @Override
        default void onConnect(Open connection) {}

        @Override
        default boolean onSilence(Open connection) {
            return true;
        }

        @Override
        default PrinterStatus currentStatus(PrinterSession session) throws Refusal {
            return session.requireStatus();
        }
    }

    @Test
    void connectionIsClosedIfMessagesArriveFasterThanTheyAreRead() throws Exception {
        MegabyteProtocol protocol = new MegabyteProtocol() {
            @Override
            public Open open(MessageQueue<Integer> messages) {
                for (int message = 1; message <= MANY; message++) {
                    messages.add(message, MEGABYTE);
                }
                return new Open();
            }

            @Override
            public void onMessage(Open connection, Integer message) {
                read.complete(message);
            }
        };
        try (PushConnection<Open, Integer> connection = connection(protocol)) {
            connection.start();
            assertThat(lost.get(60, TimeUnit.SECONDS)).contains("faster than the agent can read");
            assertThat(read).isNotDone();
        }
    }

    @Test
    void connectionIsKeptIfManyMessagesAreReadInTime() throws Exception {
        CompletableFuture<MessageQueue<Integer>> opened = new CompletableFuture<>();
        MegabyteProtocol stream = new MegabyteProtocol() {
            @Override
            public Open open(MessageQueue<Integer> messages) {
                opened.complete(messages);
                messages.add(1, MEGABYTE);
                return new Open();
            }

            @Override
            public void onMessage(Open connection, Integer message) {
                if (message == MANY) {
                    read.complete(message);
                } else {
                    opened.join().add(message + 1, MEGABYTE);
                }
            }
        };
        try (PushConnection<Open, Integer> connection = connection(stream)) {
            connection.start();
            assertThat(read.get(60, TimeUnit.SECONDS)).isEqualTo(MANY);
            assertThat(lost).isNotDone();
        }
    }

    /** The printer sends messages, but none of them is a status. */
    @Test
    void printerThatSendsNoStatusIsProbedAndThenDisconnected() throws Exception {
        CompletableFuture<MessageQueue<Integer>> opened = new CompletableFuture<>();
        AtomicInteger requests = new AtomicInteger();
        MegabyteProtocol chatter = new MegabyteProtocol() {
            @Override
            public Open open(MessageQueue<Integer> messages) {
                opened.complete(messages);
                messages.add(1, 1);
                return new Open();
            }

            @Override
            public boolean onSilence(Open connection) {
                requests.incrementAndGet();
                return false;
            }

            @Override
            public void onMessage(Open connection, Integer message) {
                opened.join().add(message, 1);
            }
        };
        try (PushConnection<Open, Integer> connection = connection(chatter, Duration.ofMillis(100))) {
            connection.start();
            assertThat(lost.get(60, TimeUnit.SECONDS)).contains("has sent no status");
            assertThat(requests).hasValueGreaterThan(0);
        }
    }

    private PushConnection<Open, Integer> connection(MegabyteProtocol protocol) {
        return connection(protocol, Duration.ofMinutes(1));
    }

    private PushConnection<Open, Integer> connection(MegabyteProtocol protocol, Duration silence) {
        return new PushConnection<>(protocol, silence, new Provider.Listener() {
            @Override
            public void onStatus(PrinterStatus reading, boolean afterGap) {}

            @Override
            public void onDisconnect(String reason) {
                lost.complete(reason);
            }
        });
    }
}
