package farm.gantry.api.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.Id;
import farm.gantry.api.database.Database;
import farm.gantry.api.file.LocalFiles;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.Uploads;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.part.PartIngest;
import farm.gantry.api.queue.QueueMessageRows.ReceivedMessage;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.bundle.ProfileBundles;
import farm.gantry.ingest.file.PartFileStorage;
import farm.gantry.ingest.stage.RunLimits;
import farm.gantry.ingest.stage.Toolchain;
import farm.gantry.ingest.tool.Tools;
import farm.gantry.ingest.worker.Worker;
import farm.gantry.part.Part;
import farm.gantry.wire.SliceRequest;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.SliceSetup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the queues between API and worker, and redelivery when a worker is lost. */
@Tag("install")
final class QueuedWorkerTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final QueueMessageRows messages = SharedApi.bean(QueueMessageRows.class);
    private final WorkLease workLease = SharedApi.bean(WorkLease.class);
    private final String queue = "queue-" + Id.next();
    private final List<AutoCloseable> open = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private QueueConsumer consumer(String name, Duration lease) throws IOException {
        QueueConsumer consumer = QueueConsumer.open(folder.resolve(name), messages, lease);
        open.add(consumer);
        return consumer;
    }

    private void consume(QueueConsumer consumer, QueueConsumer.MessageHandler work) {
        Signal arrived = new Signal();
        open.add(WorkLoop.start("queue-poll", new Signal(), SHORT, () -> consumer.poll(List.of(queue), arrived)));
        open.add(consumer.start(queue, arrived, work));
    }

    private void add(String group, String text) {
        messages.add(queue, group, "\"" + text + "\"");
    }

    private ReceivedMessage take(String consumer) {
        return messages.take(queue, consumer, TIMEOUT).orElseThrow();
    }

    @Test
    void messagesOfAGroupAreProcessedInSequence() {
        add("one", "first");
        add("one", "second");
        add("two", "other");
        ReceivedMessage first = take("a");
        assertThat(first.body()).isEqualTo("\"first\"");
        assertThat(take("b").body()).isEqualTo("\"other\"");
        assertThat(messages.take(queue, "b", TIMEOUT)).isEmpty();
        messages.remove(first);
        assertThat(take("b").body()).isEqualTo("\"second\"");
    }

    @Test
    void storesTakeTurns() {
        for (String store : List.of("large", "large", "large", "small", "small")) {
            messages.add(queue, null, "{\"storeId\":\"" + store + "\"}");
        }
        assertThat(Stream.generate(() -> take("a").body()).limit(5))
                .extracting(body -> body.replaceAll(".*:\"|\"}", ""))
                .containsExactly("large", "small", "large", "small", "large");
    }

    @Test
    void leasedMessageIsNotReturnedByAnotherConsumer() {
        add("", "mine");
        add("", "yours");
        ReceivedMessage mine = take("me");
        take("you");
        messages.release("me");
        assertThat(take("you").id()).isEqualTo(mine.id());
        assertThat(messages.take(queue, "you", TIMEOUT)).isEmpty();
    }

    @Test
    void expiredConsumerNeitherDeletesNorHidesTheMessage() {
        add("", "slow");
        ReceivedMessage slow = take("slow");
        messages.release("slow");
        ReceivedMessage quick = take("quick");
        messages.remove(slow);
        messages.hide(slow, Duration.ZERO);
        assertThat(messages.take(queue, "third", TIMEOUT)).isEmpty();
        messages.hide(quick, Duration.ZERO);
        assertThat(take("third").receives()).isEqualTo(3);
    }

    @Test
    void leaseIsExtendedDuringLongWork() throws Exception {
        add("", "long");
        // Longer than the machine of the tests may stand still.
        Duration lease = Duration.ofSeconds(12);
        CountDownLatch go = new CountDownLatch(1);
        BlockingQueue<ReceivedMessage> done = new LinkedBlockingQueue<>();
        for (String name : List.of("a", "b")) {
            QueueConsumer consumer = consumer(name, lease);
            consume(consumer, message -> {
                done.add(message);
                awaitQuietly(go);
            });
        }
        assertThat(done.poll(5, TimeUnit.MINUTES)).isNotNull();
        assertThat(done.poll(lease.toMillis() * 3 / 2, TimeUnit.MILLISECONDS)).isNull();
        go.countDown();
        Eventually.until(
                "the message is gone",
                () -> messages.take(queue, "c", Duration.ZERO).isEmpty());
    }

    @Test
    void messageThatKilledTwoProcessesIsHandledAlone() throws Exception {
        add("", "deadly");
        take("a");
        messages.release("a");
        take("b");
        add("", "before");
        BlockingQueue<String> begun = new LinkedBlockingQueue<>();
        CountDownLatch before = new CountDownLatch(1);
        CountDownLatch deadly = new CountDownLatch(1);
        QueueConsumer consumer = consumer("careful", TIMEOUT);
        for (int i = 0; i < 3; i++) {
            consume(consumer, message -> {
                begun.add(message.body());
                awaitQuietly(message.receives() > 1 ? deadly : before);
            });
        }
        assertThat(begun.poll(5, TimeUnit.MINUTES)).isEqualTo("\"before\"");
        messages.release("b");
        assertThat(begun.poll(1, TimeUnit.SECONDS)).isNull();
        add("", "after");
        before.countDown();
        assertThat(begun.poll(5, TimeUnit.MINUTES)).isEqualTo("\"deadly\"");
        assertThat(begun.poll(1, TimeUnit.SECONDS)).isNull();
        deadly.countDown();
        assertThat(begun.poll(5, TimeUnit.MINUTES)).isEqualTo("\"after\"");
    }

    @Test
    void noMessageIsTakenWhileNotReady() throws Exception {
        add("", "waiting");
        AtomicInteger looks = new AtomicInteger();
        AtomicBoolean isReady = new AtomicBoolean();
        BlockingQueue<ReceivedMessage> done = new LinkedBlockingQueue<>();
        BooleanSupplier ready = () -> looks.incrementAndGet() > 0 && isReady.get();
        open.add(consumer("full", TIMEOUT).start(queue, new Signal(), SHORT, ready, done::add));
        Eventually.until("several polls have run", () -> looks.get() > 3);
        assertThat(done).isEmpty();
        isReady.set(true);
        assertThat(Objects.requireNonNull(done.poll(5, TimeUnit.MINUTES)).receives())
                .isOne();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void onlyOneWorkerUsesAFolder() throws IOException {
        consumer("place", TIMEOUT);
        assertThatThrownBy(() -> consumer("place", TIMEOUT)).hasMessageContaining("another worker is running in");
    }

    @Test
    void messageOfADeadConsumerIsRedeliveredAfterARestart() throws Exception {
        add("", "deadly");
        try (QueueConsumer first = QueueConsumer.open(folder.resolve("phoenix"), messages, TIMEOUT)) {
            CountDownLatch taken = new CountDownLatch(1);
            try (WorkLoop loop = first.start(queue, new Signal(), message -> {
                taken.countDown();
                throw new IllegalStateException("the power is cut");
            })) {
                assertThat(loop).isNotNull();
                assertThat(taken.await(5, TimeUnit.MINUTES)).isTrue();
            }
        }
        assertThat(messages.take(queue, "other", TIMEOUT)).isEmpty();
        BlockingQueue<ReceivedMessage> again = new LinkedBlockingQueue<>();
        consume(consumer("phoenix", TIMEOUT), again::add);
        assertThat(again.poll(5, TimeUnit.MINUTES)).isNotNull();
    }

    /** Starts a worker as in a process of its own, with access to queues and files only. */
    private void startWorker(String name) throws IOException {
        startWorker(name, consumer(name, TIMEOUT), SharedApi.bean(LocalFiles.class));
    }

    private List<WorkLoop> startWorker(String name, QueueConsumer consumer, PartFileStorage files) {
        QueuedResultSender answers = SharedApi.bean(QueuedResultSender.class);
        Worker worker = new Worker(
                files,
                folder.resolve(name),
                Toolchain.of(
                        RunLimits.DEFAULTS, Tools.DEFAULTS, () -> new ProfileBundles(Map.of()), Clock.systemUTC()));
        List<WorkLoop> loops = new QueuedWorker(worker, () -> true, SharedApi.bean(JsonCodec.class), answers, answers)
                .startPolling(consumer, EnumSet.allOf(IngestLane.class), 2, SHORT);
        open.addAll(loops);
        return loops;
    }

    private void startApi(IngestReportHandler reports, SliceResultHandler slices) throws IOException {
        open.add(SharedApi.bean(OutboxRelay.class).start());
        open.addAll(SharedApi.bean(QueuedResultSender.class)
                .start(consumer("api", TIMEOUT), new Signal(), SHORT, workLease, reports, slices));
    }

    /**
     * Returns a handler that passes on only the results of this store, because the queues may contain requests of
     * others.
     */
    private static SliceResultHandler answersOf(SharedApi.Store store, BlockingQueue<SliceResult> answers) {
        return (from, answer) -> {
            if (from.equals(store.id())) {
                answers.add(answer);
            }
        };
    }

    /** File storage in which the files of one store may be unavailable. */
    private record UnavailableFiles(PartFileStorage files, SharedApi.Store store, AtomicBoolean isAway)
            implements PartFileStorage {
        @Override
        public void fetch(FileUri uri, Path to) throws IOException {
            if (uri.storeId().equals(store.id().value()) && isAway.get()) {
                throw new IOException("the disk is away");
            }
            files.fetch(uri, to);
        }

        @Override
        public void put(FileUri uri, Path from) throws IOException {
            files.put(uri, from);
        }
    }

    /** File storage in which reading a file of one store does not end. */
    private record EndlessFiles(PartFileStorage files, SharedApi.Store store, CountDownLatch begun)
            implements PartFileStorage {
        @Override
        public void fetch(FileUri uri, Path to) throws IOException {
            if (uri.storeId().equals(store.id().value())) {
                begun.countDown();
                Pipe silence = Pipe.open();
                try (var source = silence.source();
                        var unsaid = silence.sink()) {
                    assertThat(unsaid.isOpen()).isTrue();
                    source.read(ByteBuffer.allocate(1));
                }
            }
            files.fetch(uri, to);
        }

        @Override
        public void put(FileUri uri, Path from) throws IOException {
            files.put(uri, from);
        }
    }

    @Test
    void partIsProcessedLaterWhenItsFilesWereUnavailable() throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(new Socket(), store.key());
        startApi(SharedApi.bean(PartIngest.class), (_, _) -> {});
        QueueConsumer consumer = consumer("place", Duration.ofSeconds(6));
        AtomicBoolean isAway = new AtomicBoolean(true);
        startWorker("reader", consumer, new UnavailableFiles(SharedApi.bean(LocalFiles.class), store, isAway));
        String part = client.made("/v1/parts", new Uploads(client).part("a.gcode", "gcode", ""));
        Eventually.until(
                "the part shows the retry",
                () -> client.get("/v1/parts/" + part).text().contains("could not be reached"));
        assertThat(client.get("/v1/parts/" + part).at("processingStatus")).isEqualTo("processing");
        isAway.set(false);
        Eventually.until(
                "the part is read", () -> client.get("/v1/parts/" + part).at("processingStatus") == null);
        assertThat(client.get("/v1/parts/" + part).text()).doesNotContain("\"failed\"", "could not be reached");
    }

    /** Stops a worker during the store's request, and starts another. */
    private void replaceWorkerOver(SharedApi.Store store) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        PartFileStorage files = SharedApi.bean(LocalFiles.class);
        try (QueueConsumer first = consumer("place", TIMEOUT)) {
            List<WorkLoop> loops = startWorker("first", first, new EndlessFiles(files, store, begun));
            assertThat(begun.await(5, TimeUnit.MINUTES)).isTrue();
            WorkLoop.closeAll(loops);
        }
        startWorker("second", consumer("place", TIMEOUT), files);
    }

    @Test
    void partIsProcessedByAWorkerWithQueuesOnly() throws IOException {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(new Socket(), store.key());
        startApi(SharedApi.bean(PartIngest.class), (_, _) -> {});
        startWorker("worker");
        String part = client.made("/v1/parts", new Uploads(client).part("a.gcode", "gcode", ""));
        Eventually.until(
                "the part is read", () -> client.get("/v1/parts/" + part).at("processingStatus") == null);
        assertThat(client.get("/v1/parts/" + part).text()).doesNotContain("\"running\"", "\"pending\"");
    }

    @Test
    void gcodeIsProcessedWhileModelWorkersAreBusy() throws Exception {
        SharedApi.Store slow = SharedApi.newStore();
        Client models = Client.of(new Socket(), slow.key());
        for (String type : List.of("stl", "stl", "scad", "scad")) {
            models.made("/v1/parts", new Uploads(models).part("a." + type, type, ""));
        }
        startApi(SharedApi.bean(PartIngest.class), (_, _) -> {});
        CountDownLatch begun = new CountDownLatch(4);
        startWorker("busy", consumer("busy", TIMEOUT), new EndlessFiles(SharedApi.bean(LocalFiles.class), slow, begun));
        assertThat(begun.await(5, TimeUnit.MINUTES)).isTrue();
        Client client = Client.of(new Socket(), SharedApi.newStore().key());
        String part = client.made("/v1/parts", new Uploads(client).part("a.gcode", "gcode", ""));
        Eventually.until(
                "the part is read", () -> client.get("/v1/parts/" + part).at("processingStatus") == null);
    }

    @Test
    void partOfAStoppedWorkerIsProcessedByTheNext() throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(new Socket(), store.key());
        startApi(SharedApi.bean(PartIngest.class), (_, _) -> {});
        String part = client.made("/v1/parts", new Uploads(client).part("a.gcode", "gcode", ""));
        replaceWorkerOver(store);
        Eventually.until(
                "the part is no longer being read",
                () -> !"processing".equals(client.get("/v1/parts/" + part).at("processingStatus")));
        assertThat(client.get("/v1/parts/" + part).text()).doesNotContain("\"failed\"", "\"running\"", "\"pending\"");
    }

    @Test
    void sliceIsRequestedAndReportedThroughTheQueues() throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        BlockingQueue<SliceResult> answers = new LinkedBlockingQueue<>();
        startApi(SharedApi.bean(PartIngest.class), answersOf(store, answers));
        startWorker("slicer");
        String sliceId = askForSlice(store);
        SliceResult answer = answers.poll(5, TimeUnit.MINUTES);
        assertThat(answer).isNotNull();
        assertThat(answer.sliceId()).isEqualTo(sliceId);
        assertThat(answer.error()).isNotBlank();
    }

    @Test
    void sliceOfAStoppedWorkerIsCompletedByTheNext() throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        BlockingQueue<SliceResult> answers = new LinkedBlockingQueue<>();
        startApi(SharedApi.bean(PartIngest.class), answersOf(store, answers));
        askForSlice(store);
        replaceWorkerOver(store);
        SliceResult answer = answers.poll(5, TimeUnit.MINUTES);
        assertThat(answer).isNotNull();
        assertThat(answer.error()).contains("never uploaded");
    }

    /** Requests the slice of a missing file. */
    private static String askForSlice(SharedApi.Store store) {
        String sliceId = Id.next();
        SliceRequest request = new SliceRequest(
                store.id().value(),
                sliceId,
                Id.next(),
                Part.Type.stl,
                List.of("files:" + store.id().value() + "/" + Id.next() + "/gone.stl"),
                List.of("0".repeat(64)),
                null,
                List.of(),
                SliceSetup.PLAIN,
                false);
        return SharedApi.bean(Database.class).in(store.id(), tx -> {
            SharedApi.bean(OutboxRelay.class).send(tx, QueueNames.SLICE, request);
            return sliceId;
        });
    }
}
