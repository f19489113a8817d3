package farm.gantry.edge.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class InboxTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final Inbox<String> inbox = Inbox.open();

    @AfterEach
    void close() {
        inbox.close();
    }

    @Test
    void deferredMessageIsDeliveredWithoutAnUrgentOne() throws Exception {
        inbox.addLater("warmer");
        assertThat(inbox.poll(TIMEOUT)).isEqualTo("warmer");
        CompletableFuture<String> message = polled();
        inbox.addLater("warmer still");
        assertThat(message.get()).isEqualTo("warmer still");
    }

    @Test
    void urgentMessageDeliversDeferredOnesFirst() throws Exception {
        CompletableFuture<String> message = polled();
        inbox.addLater("warm");
        inbox.add("done");
        assertThat(message.get()).isEqualTo("warm");
        assertThat(inbox.peek()).isEqualTo("done");
        assertThat(inbox.poll(TIMEOUT)).isEqualTo("done");
        assertThat(inbox.peek()).isNull();
    }

    @Test
    void pollTimesOutForShortAndLongTimeouts() throws Exception {
        long begun = System.nanoTime();
        assertThat(inbox.poll(Duration.ZERO)).isNull();
        assertThat(inbox.poll(Duration.ofMillis(20))).isNull();
        assertThat(inbox.poll(InboxTimer.BETWEEN.plusMillis(1))).isNull();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(InboxTimer.BETWEEN);
    }

    @Test
    void urgentAndDeferredMessagesArriveOnceAndInOrder() throws Exception {
        int many = 10_000;
        Thread sender = Thread.ofVirtual().start(() -> {
            for (int i = 0; i < many; i++) {
                if (i % 7 == 0) {
                    inbox.add(String.valueOf(i));
                } else {
                    inbox.addLater(String.valueOf(i));
                }
            }
        });
        for (int i = 0; i < many; i++) {
            assertThat(inbox.poll(TIMEOUT)).isEqualTo(String.valueOf(i));
        }
        sender.join();
    }

    @Test
    void keepRemovesAllOtherMessages() {
        inbox.add("a");
        inbox.add("b");
        inbox.retainOnly("b"::equals);
        assertThat(inbox.peek()).isEqualTo("b");
    }

    @Test
    void interruptedPollReceivesNoMessage() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> inbox.poll(TIMEOUT)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    private CompletableFuture<String> polled() {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return String.valueOf(inbox.poll(TIMEOUT));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
