package farm.gantry.api.queue;

import farm.gantry.Id;
import farm.gantry.api.queue.QueueMessageRows.Taken;
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
 * One of those who take messages from the queues. What it works on stays hidden from the others as long as it lives; what
 * it was killed over comes back when its lease ends, or at once when it is started again.
 */
public final class QueueConsumer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(QueueConsumer.class);
    private static final int RENEWALS = 4;
    private static final int MAX_RECEIVES = 50;
    private static final int MAX_NAME = 64;

    /** From this receive on a message may be what ended the process before, with all that was handled beside it. */
    private static final int RECEIVES_ALONE = 3;

    private final QueueMessageRows messages;
    private final String name;
    private final Duration lease;
    private final FileLock alone;
    private final Set<Taken> held = ConcurrentHashMap.newKeySet();
    private final Loop renewing;
    /** Held while a message is taken, and while one is handled alone: what that ends was taken by nobody. */
    private final ReentrantLock taking = new ReentrantLock();

    private final ReadWriteLock running = new ReentrantReadWriteLock();

    private QueueConsumer(QueueMessageRows messages, String name, Duration lease, FileLock alone) {
        this.messages = messages;
        this.name = name;
        this.lease = lease;
        this.alone = alone;
        this.renewing = Loop.start(
                "leases",
                new Signal(),
                lease.dividedBy(RENEWALS),
                () -> held.forEach(message -> messages.hide(message, lease)));
    }

    /** Handles a message; after an exception it is delivered again when its lease ends, a few times. */
    @FunctionalInterface
    public interface MessageHandler {
        void on(Taken message);
    }

    /**
     * The consumer of a folder, which holds its name and lock; releases messages that it had taken before it was
     * killed.
     */
    public static QueueConsumer in(Path folder, QueueMessageRows messages, Duration lease) throws IOException {
        Files.createDirectories(folder);
        FileChannel file = FileChannel.open(
                folder.resolve("consumer"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        try {
            FileLock lock = locked(file).orElseThrow(() -> new IOException("another worker works in " + folder));
            String name = named(file);
            messages.release(name);
            return new QueueConsumer(messages, name, lease, lock);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** An exclusive lock on the file; empty while another holder, in this process or another, has it. */
    public static Optional<FileLock> locked(FileChannel file) throws IOException {
        try {
            return Optional.ofNullable(file.tryLock());
        } catch (OverlappingFileLockException e) {
            return Optional.empty();
        }
    }

    /** Replaces a name that a power cut left incomplete. */
    private static String named(FileChannel file) throws IOException {
        ByteBuffer kept = ByteBuffer.allocate(MAX_NAME);
        file.read(kept, 0);
        String name = new String(kept.array(), 0, kept.position(), StandardCharsets.UTF_8);
        if (Id.isValid(name)) {
            return name;
        }
        String fresh = Id.next();
        file.truncate(0).write(StandardCharsets.UTF_8.encode(fresh), 0);
        file.force(true);
        return fresh;
    }

    /** Starts consuming the queue on every signal and at the interval. */
    public Loop start(String queue, Signal signal, Duration every, MessageHandler work) {
        return start(queue, signal, every, () -> true, work);
    }

    /** The same; nothing is taken while this consumer is not ready. */
    public Loop start(String queue, Signal signal, Duration every, BooleanSupplier isReady, MessageHandler work) {
        return Loop.start(Thread.ofPlatform().daemon().name(queue), signal, every, () -> work(queue, isReady, work));
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

    /** Takes a message and handles it; false if there is none. */
    private boolean workOnNext(String queue, MessageHandler work) throws InterruptedException {
        taking.lockInterruptibly();
        Taken message;
        try {
            Optional<Taken> taken = take(queue);
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

    private void handle(String queue, Taken message, MessageHandler work, Lock lock) {
        try {
            if (message.receives() > MAX_RECEIVES) {
                LOG.error("dropped from {}, for it failed each time: {}", queue, message.body());
            } else {
                work.on(message);
            }
            messages.remove(message);
        } finally {
            held.remove(message);
            lock.unlock();
        }
    }

    private Optional<Taken> take(String queue) {
        return Thread.currentThread().isInterrupted() ? Optional.empty() : messages.take(queue, name, lease);
    }

    @Override
    public void close() {
        renewing.close();
        try {
            alone.acquiredBy().close();
        } catch (IOException e) {
            LOG.warn("the name of consumer {} stays locked", name, e);
        }
    }
}
