package farm.gantry.api.queue;

import farm.gantry.Id;
import farm.gantry.api.queue.QueueMessageRows.ReceivedMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer of queue messages. Its messages stay hidden from others while it lives. After a crash they are redelivered
 * when their lease ends, or at once when this consumer restarts.
 */
public final class QueueConsumer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(QueueConsumer.class);
    private static final int RENEWALS = 4;
    private static final int MAX_RECEIVES = 50;
    private static final int MAX_NAME = 64;
    /** Interval at which a queue is read that {@link #poll} watches. */
    private static final Duration CHECK_INTERVAL = Duration.ofMinutes(1);

    /**
     * From this delivery on a message is handled alone, because it may have crashed the process, together with messages
     * handled at the same time.
     */
    private static final int RECEIVES_ALONE = 3;

    private final QueueMessageRows messages;
    private final String name;
    private final Duration lease;
    private final FileLock alone;
    private final Set<ReceivedMessage> held = ConcurrentHashMap.newKeySet();
    private final WorkLoop renewing;
    /**
     * Held while taking a message, and while one is handled alone, so that nothing else is taken when it crashes the
     * process.
     */
    private final ReentrantLock taking = new ReentrantLock();

    private final ReadWriteLock running = new ReentrantReadWriteLock();

    private QueueConsumer(QueueMessageRows messages, String name, Duration lease, FileLock alone) {
        this.messages = messages;
        this.name = name;
        this.lease = lease;
        this.alone = alone;
        this.renewing = WorkLoop.start(
                "leases",
                new Signal(),
                lease.dividedBy(RENEWALS),
                () -> held.forEach(message -> messages.hide(message, lease)));
    }

    /** Handles a message. After an exception it is redelivered when its lease ends, a limited number of times. */
    @FunctionalInterface
    public interface MessageHandler {
        void on(ReceivedMessage message);
    }

    /**
     * Returns the consumer of a folder, which stores its name and lock; releases messages it had taken before a crash.
     */
    public static QueueConsumer open(Path folder, QueueMessageRows messages, Duration lease) throws IOException {
        Files.createDirectories(folder);
        FileChannel file = FileChannel.open(
                folder.resolve("consumer"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        try {
            FileLock lock = tryLock(file).orElseThrow(() -> new IOException("another worker is running in " + folder));
            String name = readOrCreateName(file);
            messages.release(name);
            return new QueueConsumer(messages, name, lease, lock);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Takes an exclusive lock on the file; empty while another holder, in this process or another, has it. */
    public static Optional<FileLock> tryLock(FileChannel file) throws IOException {
        try {
            return Optional.ofNullable(file.tryLock());
        } catch (OverlappingFileLockException e) {
            return Optional.empty();
        }
    }

    /** Returns the stored name; replaces one that a power failure left incomplete. */
    private static String readOrCreateName(FileChannel file) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(MAX_NAME);
        file.read(buffer, 0);
        String name = new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
        if (Id.isValid(name)) {
            return name;
        }
        String fresh = Id.next();
        file.truncate(0).write(StandardCharsets.UTF_8.encode(fresh), 0);
        file.force(true);
        return fresh;
    }

    /** Gives the signal if there are messages in any of the queues: one query for all consumers of these queues. */
    void poll(List<String> queues, Signal signal) {
        if (messages.isAnyVisible(queues)) {
            signal.signal();
        }
    }

    /** Starts consuming the queue on every signal. */
    public WorkLoop start(String queue, Signal signal, MessageHandler work) {
        return start(queue, signal, CHECK_INTERVAL, () -> true, work);
    }

    /** Starts consuming the queue on every signal and at the interval; takes no messages while {@code isReady} is false. */
    WorkLoop start(String queue, Signal signal, Duration every, BooleanSupplier isReady, MessageHandler work) {
        return WorkLoop.start(
                Thread.ofPlatform().daemon().name(queue), signal, every, () -> work(queue, isReady, work));
    }

    private void work(String queue, BooleanSupplier isReady, MessageHandler work) {
        try {
            boolean hasNext = true;
            while (hasNext && isReady.getAsBoolean()) {
                hasNext = workOnNext(queue, work);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes and handles a message; false if there is none. */
    private boolean workOnNext(String queue, MessageHandler work) throws InterruptedException {
        taking.lockInterruptibly();
        ReceivedMessage message;
        try {
            Optional<ReceivedMessage> taken = take(queue);
            if (taken.isEmpty()) {
                return false;
            }
            message = taken.get();
            held.add(message);
            if (message.receives() >= RECEIVES_ALONE) {
                running.writeLock().lockInterruptibly();
                handle(queue, message, work, running.writeLock());
                return true;
            }
            running.readLock().lock();
        } finally {
            taking.unlock();
        }
        handle(queue, message, work, running.readLock());
        return true;
    }

    private void handle(String queue, ReceivedMessage message, MessageHandler work, Lock lock) {
        try {
            if (message.receives() > MAX_RECEIVES) {
                LOG.error("message from queue {} failed at every delivery and is dropped: {}", queue, message.body());
            } else {
                work.on(message);
            }
            messages.remove(message);
        } finally {
            held.remove(message);
            lock.unlock();
        }
    }

    private Optional<ReceivedMessage> take(String queue) {
        return Thread.currentThread().isInterrupted() ? Optional.empty() : messages.take(queue, name, lease);
    }

    @Override
    public void close() {
        renewing.close();
        try {
            alone.acquiredBy().close();
        } catch (IOException e) {
            LOG.warn("cannot release the lock of consumer {}", name, e);
        }
    }
}
