package farm.gantry.api.queue;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work done again and again on a thread of its own: when its signal is given, and every so often in any case. */
public final class Loop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
    private static final Duration AFTER_FAULT = Duration.ofSeconds(1);

    private final Thread thread;

    private Loop(Thread thread) {
        this.thread = thread;
    }

    public static Loop start(String name, Signal signal, Duration every, Runnable work) {
        return new Loop(Thread.ofVirtual().name(name).start(() -> run(name, signal, every, work)));
    }

    private static void run(String name, Signal signal, Duration every, Runnable work) {
        while (!Thread.currentThread().isInterrupted()) {
            long seen = signal.count();
            Duration pause = every;
            try {
                work.run();
            } catch (RuntimeException e) {
                LOG.warn("{} failed and goes on", name, e);
                pause = AFTER_FAULT;
            }
            try {
                signal.await(seen, pause);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
