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
        return start(Thread.ofVirtual().name(name), signal, every, work);
    }

    /** On a thread of a kind: one of the system for work that computes, so that those that wait are not kept waiting. */
    static Loop start(Thread.Builder kind, Signal signal, Duration every, Runnable work) {
        Thread thread = kind.unstarted(() -> run(Thread.currentThread().getName(), signal, every, work));
        thread.start();
        return new Loop(thread);
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
            } catch (Throwable e) {
                LOG.error("{} failed and goes on", name, e);
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
