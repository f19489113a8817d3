package farm.gantry.edge.inbox;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Wakes the readers of all non-empty inboxes twice a second. */
final class InboxTimer {
    static final Duration BETWEEN = Duration.ofMillis(500);

    private static final Set<Inbox<?>> INBOXES = ConcurrentHashMap.newKeySet();

    static {
        Thread.ofPlatform().daemon().name("inbox-timer").start(InboxTimer::run);
    }

    private InboxTimer() {}

    static void register(Inbox<?> inbox) {
        INBOXES.add(inbox);
    }

    static void unregister(Inbox<?> inbox) {
        INBOXES.remove(inbox);
    }

    private static void run() {
        while (true) {
            LockSupport.parkNanos(BETWEEN.toNanos());
            INBOXES.forEach(Inbox::wakeReader);
        }
    }
}
