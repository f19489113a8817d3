package farm.gantry.edge.inbox;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Twice a second, all inboxes in which something waits are looked into at once. */
final class Beat {
    static final Duration BETWEEN = Duration.ofMillis(500);

    private static final Set<Inbox<?>> INBOXES = ConcurrentHashMap.newKeySet();

    static {
        Thread.ofPlatform().daemon().name("beat").start(Beat::run);
    }

    private Beat() {}

    static void begin(Inbox<?> inbox) {
        INBOXES.add(inbox);
    }

    static void end(Inbox<?> inbox) {
        INBOXES.remove(inbox);
    }

    private static void run() {
        while (true) {
            LockSupport.parkNanos(BETWEEN.toNanos());
            INBOXES.forEach(Inbox::beat);
        }
    }
}
