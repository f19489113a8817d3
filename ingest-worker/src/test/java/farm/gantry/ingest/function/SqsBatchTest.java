package farm.gantry.ingest.function;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.file.FileUri;
import farm.gantry.ingest.file.FolderFiles;
import farm.gantry.ingest.file.WorkFiles;
import farm.gantry.ingest.function.SqsBatch.Answer;
import farm.gantry.ingest.function.SqsBatch.Event;
import farm.gantry.ingest.function.SqsBatch.Failure;
import farm.gantry.ingest.function.SqsBatch.Message;
import farm.gantry.ingest.sample.GcodeFiles;
import farm.gantry.ingest.worker.IngestedPart;
import farm.gantry.ingest.worker.Worker;
import farm.gantry.part.Part;
import farm.gantry.part.Processing.StageStatus;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.SliceRequest;
import farm.gantry.wire.SliceSetup;
import farm.gantry.wire.StageReport;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqsBatchTest {
    private static final ObjectMapper MAPPER = ObjectMapper.getDefault();

    @TempDir
    Path folder;

    private final List<StageReport> reports = new ArrayList<>();
    private final List<SliceResult> answers = new ArrayList<>();
    private final List<Duration> retries = new ArrayList<>();

    private SqsBatch batch() {
        var files = new FolderFiles(folder.resolve("kept"));
        var worker = new Worker(files, folder.resolve("work"), IngestedPart.toolchain(IngestedPart.TOOLS));
        return new SqsBatch(worker, MAPPER, reports::addAll, answers::add, (_, after) -> retries.add(after));
    }

    private IngestRequest request() throws IOException {
        return IngestedPart.request(
                new FolderFiles(folder.resolve("kept")), GcodeFiles.write(folder, GcodeFiles.CURA), Part.Type.gcode);
    }

    /** Returns a request to slice a file that is not a mesh. */
    private SliceRequest slice() throws IOException {
        IngestRequest part = request();
        return new SliceRequest(
                part.storeId(),
                "j".repeat(24),
                part.partId(),
                Part.Type.stl,
                part.fileUris(),
                part.fileHashes(),
                null,
                List.of(),
                SliceSetup.PLAIN,
                false);
    }

    private static Message message(String id, Object body, int receives) throws IOException {
        return new Message(
                id,
                MAPPER.writeValueAsString(body),
                Map.of("ApproximateReceiveCount", Integer.toString(receives)),
                null,
                null);
    }

    @Test
    void onlyTheInvalidMessageOfABatchIsRetried() throws IOException {
        Answer answer = batch().handle(new Event(List.of(
                message("good", request(), 1), new Message("garbage", "{\"not\": \"a request\"}", null, null, null))));
        assertThat(answer.batchItemFailures()).containsExactly(new Failure("garbage"));
        assertThat(reports.getLast().stage().status()).isEqualTo(StageStatus.done);
    }

    @Test
    void batchIsReadFromAndWrittenAsJsonBytes() throws IOException {
        byte[] event = "{\"Records\":[{\"messageId\":\"m1\",\"receiptHandle\":\"x\",\"body\":\"{}\"}]}"
                .getBytes(StandardCharsets.UTF_8);
        assertThat(batch().handle(event)).asString().isEqualTo("{\"batchItemFailures\":[{\"itemIdentifier\":\"m1\"}]}");
    }

    @Test
    void ingestRequestThatKeepsKillingTheWorkerFails() throws IOException {
        assertThat(batch().handle(new Event(List.of(message("deadly", request(), 6))))
                        .batchItemFailures())
                .isEmpty();
        assertThat(reports).hasSize(1);
        assertThat(reports.getFirst().stage().status()).isEqualTo(StageStatus.failed);
        assertThat(reports.getFirst().stage().error()).contains("each time it read this file");
    }

    @Test
    void sliceRequestIsHandledByTheSameFunction() throws IOException {
        assertThat(batch().handle(new Event(List.of(message("slice", slice(), 1))))
                        .batchItemFailures())
                .isEmpty();
        assertThat(Objects.requireNonNull(answers.getFirst().error())).contains("not a stl file");
    }

    @Test
    void messagesAreRetriedWhenTheirReportsCannotBeSent() throws IOException {
        var files = new FolderFiles(folder.resolve("kept"));
        var worker = new Worker(files, folder.resolve("work"), IngestedPart.toolchain(IngestedPart.TOOLS));
        var failing = new SqsBatch(
                worker,
                MAPPER,
                _ -> {
                    throw new IllegalStateException("the API's queue is away");
                },
                answers::add,
                (_, after) -> retries.add(after));
        Answer answer =
                failing.handle(new Event(List.of(message("first", request(), 1), message("second", request(), 1))));
        assertThat(answer.batchItemFailures()).containsExactly(new Failure("first"), new Failure("second"));
    }

    @Test
    void messageIsRetriedWhenItsFilesAreUnreachable() throws IOException {
        IngestRequest ingest = request();
        SliceRequest slice = slice();
        Path loop = folder.resolve("loop");
        var away = new FolderFiles(Files.createSymbolicLink(loop, loop));
        var worker = new Worker(away, folder.resolve("work"), IngestedPart.toolchain(IngestedPart.TOOLS));
        Answer answer = new SqsBatch(worker, MAPPER, reports::addAll, answers::add, (_, after) -> retries.add(after))
                .handle(new Event(List.of(message("read", ingest, 1), message("slice", slice, 2))));
        assertThat(answer.batchItemFailures()).containsExactly(new Failure("read"), new Failure("slice"));
        assertThat(answers).isEmpty();
        assertThat(retries).containsExactly(Duration.ofMinutes(2), Duration.ofMinutes(4));
        assertThat(reports.getLast().stage().status()).isEqualTo(StageStatus.running);
        assertThat(reports.getLast().stage().error()).contains("could not be reached");
    }

    @Test
    void sliceRequestThatKeepsKillingTheWorkerFails() throws IOException {
        assertThat(batch().handle(new Event(List.of(message("slice", slice(), 6))))
                        .batchItemFailures())
                .isEmpty();
        assertThat(Objects.requireNonNull(answers.getFirst().error())).contains("each time it sliced");
    }

    /** File storage that waits with each fetch until the API has received a report of the stage. */
    private record SlowFiles(WorkFiles files, CountDownLatch requested) implements WorkFiles {
        @Override
        public void fetch(FileUri uri, Path to) throws IOException {
            try {
                assertThat(requested.await(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            files.fetch(uri, to);
        }

        @Override
        public void put(FileUri uri, Path from) throws IOException {
            files.put(uri, from);
        }
    }

    @Test
    void stageIsReportedAsRunningBeforeItEnds() throws IOException {
        var requested = new CountDownLatch(1);
        var files = new SlowFiles(new FolderFiles(folder.resolve("kept")), requested);
        var worker = new Worker(files, folder.resolve("work"), IngestedPart.toolchain(IngestedPart.TOOLS));
        var batch = new SqsBatch(
                worker,
                MAPPER,
                some -> {
                    reports.addAll(some);
                    requested.countDown();
                },
                answers::add,
                (_, after) -> retries.add(after));
        assertThat(batch.handle(new Event(List.of(message("slow", request(), 1))))
                        .batchItemFailures())
                .isEmpty();
        assertThat(reports)
                .extracting(report -> report.stage().status())
                .startsWith(StageStatus.running, StageStatus.done);
    }
}
