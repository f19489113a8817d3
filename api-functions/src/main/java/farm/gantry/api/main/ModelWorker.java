package farm.gantry.api.main;

import farm.gantry.api.main.process.ChildProcess;
import farm.gantry.api.main.process.JvmMemory;
import farm.gantry.api.queue.IngestLane;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.api.queue.QueueMessageRows;
import farm.gantry.api.queue.QueueNames;
import farm.gantry.api.queue.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Worker for models in a separate process with its own heap, so that no file exhausts the API's memory. It is started
 * on demand, and restarted with a backoff if it ends.
 */
final class ModelWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModelWorker.class);
    private static final List<String> QUEUES = List.of(IngestLane.MODEL.queue(), IngestLane.HEAVY.queue(), QueueNames.SLICE);
    private static final String NAME = "models";
    /** Settings that are passed to the worker; others may be secret. */
    private static final List<String> SETTINGS = List.of("gantry.files.", "gantry.worker.", "gantry.slicers.");

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration MAX_PAUSE = Duration.ofMinutes(1);

    private final Path folder;
    private final Map<String, Object> settings;
    private final WorkerSettings worker;
    private final QueueMessageRows messages;
    private final WorkLoop loop;
    private @Nullable ChildProcess child;
    private boolean isClosed;
    private long startedAtNanos;
    private Duration pause = FIRST_PAUSE;

    ModelWorker(
            Path folder,
            Map<String, Object> settings,
            WorkerSettings worker,
            QueueMessageRows messages,
            Signal queued) {
        this.folder = folder.toAbsolutePath();
        this.settings = settings;
        this.worker = worker;
        this.messages = messages;
        this.loop = WorkLoop.start("model-worker", queued, FIRST_PAUSE, this::startOrRestart);
    }

    private synchronized void startOrRestart() {
        if (isClosed || (child == null && !worker.ready() && !messages.isAny(QUEUES))) {
            return;
        }
        if (child == null) {
            start();
            return;
        }
        child.rotateLog();
        if (!child.isAlive() && uptime().compareTo(pause) > 0) {
            LOG.warn("the model worker ended unexpectedly and is restarted; see {}", child.log());
            pause = uptime().compareTo(MAX_PAUSE) > 0 ? FIRST_PAUSE : min(pause.multipliedBy(2), MAX_PAUSE);
            start();
        }
    }

    private Duration uptime() {
        return Duration.ofNanos(System.nanoTime() - startedAtNanos);
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private void start() {
        List<String> jvm = new ArrayList<>(JvmMemory.maxHeapOptions(worker.heap()));
        jvm.add("-XX:+ExitOnOutOfMemoryError");
        List<String> arguments = new ArrayList<>(List.of("--data", folder.toString(), "--name", NAME));
        arguments.addAll(List.of("--lane", IngestLane.MODEL.name(), "--lane", IngestLane.HEAVY.name()));
        settings.forEach((key, value) -> {
            if (SETTINGS.stream().anyMatch(key::startsWith)) {
                arguments.addAll(List.of("--set", key + "=" + value));
            }
        });
        startedAtNanos = System.nanoTime();
        try {
            child = ChildProcess.start(NAME, folder.resolve("logs"), jvm, WorkCommand.class.getName(), arguments);
        } catch (IOException e) {
            throw new UncheckedIOException("the model worker cannot be started", e);
        }
    }

    @Override
    public void close() {
        loop.close();
        stopChild();
    }

    private synchronized void stopChild() {
        isClosed = true;
        if (child != null) {
            child.close();
        }
    }
}
