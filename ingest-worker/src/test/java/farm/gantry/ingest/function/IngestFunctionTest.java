package farm.gantry.ingest.function;

import static farm.gantry.part.Processing.StageKey.READ_METADATA;
import static farm.gantry.part.Processing.StageKey.SPLIT_PLATES;
import static farm.gantry.part.Processing.StageKey.estimate;
import static farm.gantry.part.Processing.StageKey.fetch;
import static farm.gantry.part.Processing.StageKey.thumbnails;
import static farm.gantry.part.Processing.StageStatus.done;
import static farm.gantry.part.Processing.StageStatus.failed;
import static farm.gantry.part.Processing.StageStatus.running;
import static farm.gantry.part.Processing.StageStatus.skipped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import farm.gantry.Id;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.function.emulator.Buckets;
import farm.gantry.ingest.function.emulator.Queues;
import farm.gantry.ingest.function.emulator.SdkSettings;
import farm.gantry.ingest.sample.GcodeFiles;
import farm.gantry.ingest.sample.Solids;
import farm.gantry.ingest.worker.IngestedPart;
import farm.gantry.part.Part;
import farm.gantry.part.Processing.Stage;
import farm.gantry.part.Processing.StageKey;
import farm.gantry.part.SlicingEstimate;
import farm.gantry.part.SlicingEstimate.Profiles;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceRequest;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.SliceSetup;
import farm.gantry.wire.StageReport;
import farm.gantry.wire.StageReport.Findings;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sqs.model.Message;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class IngestFunctionTest {
    private static final Profiles NO_FILAMENTS = new Profiles(List.of(), List.of(), "", "machine", "", "process");
    private static final ObjectMapper MAPPER = IngestFunction.MAPPER;

    @TempDir
    Path folder;

    private Buckets buckets;
    private Queues queues;
    private String bucket;
    private String requests;
    private String stageReports;
    private String sliceAnswers;

    @BeforeAll
    void start(@TempDir Path files) throws Exception {
        buckets = new Buckets(files);
        queues = new Queues();
    }

    @AfterAll
    void stop() throws Exception {
        queues.stop();
        buckets.stop();
    }

    @BeforeEach
    void deploy() {
        bucket = buckets.newBucket();
        requests = queues.newQueue();
        stageReports = queues.newOrderedQueue();
        sliceAnswers = queues.newQueue();
    }

    private IngestFunction function(String reports) {
        return new IngestFunction(FunctionSettings.read(Map.of(
                "AWS_REGION",
                SdkSettings.REGION,
                "GANTRY_FILES_BUCKET",
                bucket,
                "GANTRY_QUEUES_STAGE_REPORTS",
                reports,
                "GANTRY_QUEUES_SLICE_ANSWERS",
                sliceAnswers,
                "GANTRY_WORKER_FOLDER",
                folder.resolve("work").toString(),
                "GANTRY_WORKER_TOOLS_PRUSA_SLICER",
                "no-slicer-today")));
    }

    private IngestRequest uploaded(String part, Part.Type type) throws IOException {
        Path file = Files.writeString(folder.resolve(Id.next()), part);
        return IngestedPart.request(buckets.files(bucket), file, type);
    }

    private void send(Object request) throws IOException {
        queues.send(requests, request instanceof String text ? text : MAPPER.writeValueAsString(request));
    }

    /**
     * Polls the queue as Lambda does: passes messages to the function, and deletes those that the response does not
     * name.
     */
    private void poll(IngestFunction function) throws IOException {
        List<Message> messages = queues.receive(requests);
        var event = Map.of(
                "Records", messages.stream().map(IngestFunctionTest::record).toList());
        var answer = new ByteArrayOutputStream();
        function.handleRequest(new ByteArrayInputStream(MAPPER.writeValueAsBytes(event)), answer, null);
        String failures = answer.toString(StandardCharsets.UTF_8);
        messages.stream()
                .filter(message -> !failures.contains("{\"itemIdentifier\":\"" + message.messageId() + "\"}"))
                .forEach(message -> queues.delete(requests, message));
    }

    private static Map<String, Object> record(Message message) {
        return Map.of(
                "messageId", message.messageId(),
                "receiptHandle", message.receiptHandle(),
                "body", message.body(),
                "attributes", message.attributesAsStrings(),
                "messageAttributes", Map.of(),
                "eventSource", "aws:sqs",
                "awsRegion", SdkSettings.REGION);
    }

    private Map<String, List<StageReport>> reportsByRun() throws IOException {
        return reports(queues.drained(stageReports)).stream().collect(Collectors.groupingBy(StageReport::workflowKey));
    }

    private static List<StageReport> reports(List<String> bodies) throws IOException {
        List<StageReport> reports = new ArrayList<>();
        for (String body : bodies) {
            reports.addAll(Objects.requireNonNull(MAPPER.readValue(body, Argument.listOf(StageReport.class))));
        }
        return reports;
    }

    private static List<Tuple> moves(Map<String, List<StageReport>> reports, IngestRequest request) {
        return reports.getOrDefault(request.workflowKey(), List.of()).stream()
                .map(report -> tuple(report.stage().key(), report.stage().status()))
                .toList();
    }

    private static String thumbnail(Map<String, List<StageReport>> reports, IngestRequest request) {
        return reports.getOrDefault(request.workflowKey(), List.of()).stream()
                .map(StageReport::findings)
                .filter(Objects::nonNull)
                .map(Findings::thumbnailUri)
                .filter(Objects::nonNull)
                .findFirst()
                .flatMap(FileUri::parse)
                .orElseThrow()
                .path();
    }

    @Test
    void messageIsRedeliveredAfterTheRetryDelay() {
        String queue = queues.newQueue();
        queues.send(queue, "{}");
        Message message = queues.receive(queue).getFirst();
        String arn =
                "arn:aws:sqs:" + SdkSettings.REGION + ":000000000000:" + queue.substring(queue.lastIndexOf('/') + 1);
        new ResultQueues(queues.client(), MAPPER, stageReports, sliceAnswers)
                .retry(
                        new SqsBatchHandler.Message(message.messageId(), "{}", null, message.receiptHandle(), arn),
                        Duration.ofMinutes(2));
        assertThat(queues.receive(queue)).isEmpty();
    }

    @Test
    void partsFromTheBucketAreIngestedAndOnlyInvalidMessagesAreRedelivered() throws IOException {
        IngestRequest gcode = uploaded(GcodeFiles.PRUSA, Part.Type.gcode);
        IngestRequest stl = uploaded(Solids.text("box", Solids.box(0, 0, 0, 20, 10, 5)), Part.Type.stl);
        IngestRequest absent = new IngestRequest(
                IngestedPart.STORE,
                Id.next(),
                Id.next(),
                1,
                Part.Type.stl,
                List.of(FileUri.upload(IngestedPart.STORE, "gone.stl").toString()),
                List.of("0".repeat(64)),
                List.of(),
                null,
                false,
                List.of());
        send(gcode);
        send("{\"not\": \"a request\"}");
        send(absent);
        send(stl);
        poll(function(stageReports));

        assertThat(queues.drained(requests)).containsExactly("{\"not\": \"a request\"}");
        Map<String, List<StageReport>> reports = reportsByRun();
        assertThat(reports).containsOnlyKeys(gcode.workflowKey(), absent.workflowKey(), stl.workflowKey());
        assertThat(moves(reports, gcode))
                .containsExactly(
                        tuple(fetch, running),
                        tuple(fetch, done),
                        tuple(READ_METADATA, running),
                        tuple(READ_METADATA, done),
                        tuple(thumbnails, running),
                        tuple(thumbnails, done),
                        tuple(SPLIT_PLATES, running),
                        tuple(SPLIT_PLATES, skipped),
                        tuple(estimate, running),
                        tuple(estimate, done));
        assertThat(moves(reports, absent)).containsExactly(tuple(fetch, running), tuple(fetch, failed));
        assertThat(buckets.keys(bucket)).contains(thumbnail(reports, gcode), thumbnail(reports, stl));
        assertThat(folder.resolve("work")).isEmptyDirectory();
    }

    @Test
    void sliceAnswerGoesToItsOwnQueue() throws IOException {
        IngestRequest part = uploaded(Solids.text("box", Solids.box(0, 0, 0, 20, 10, 5)), Part.Type.stl);
        send(new SliceRequest(
                part.storeId(),
                Id.next(),
                part.partId(),
                part.type(),
                part.fileUris(),
                part.fileHashes(),
                null,
                List.of(),
                SliceSetup.PLAIN,
                false));
        poll(function(stageReports));
        assertThat(queues.drained(requests)).isEmpty();
        assertThat(queues.drained(sliceAnswers)).singleElement().satisfies(body -> {
            SliceResult answer = Objects.requireNonNull(MAPPER.readValue(body, SliceResult.class));
            assertThat(answer.storeId()).isEqualTo(part.storeId());
            assertThat(answer.error()).contains("not installed");
        });
    }

    @Test
    void requestIsRedeliveredAndReportedInFullWhenReportingFailed() throws IOException {
        IngestRequest gcode = uploaded(GcodeFiles.CURA, Part.Type.gcode);
        send(gcode);
        poll(function(stageReports.replace(".fifo", "-away.fifo")));
        poll(function(stageReports));
        assertThat(queues.drained(requests)).isEmpty();
        assertThat(moves(reportsByRun(), gcode)).hasSize(10).startsWith(tuple(fetch, running));
    }

    @Test
    void duplicateRequestIsReportedAgain() throws IOException {
        IngestRequest gcode = uploaded(GcodeFiles.CURA, Part.Type.gcode);
        send(gcode);
        send(gcode);
        poll(function(stageReports));
        assertThat(moves(reportsByRun(), gcode)).hasSize(20);
    }

    @Test
    void requestThatKilledTheWorkerFiveTimesFails() throws IOException {
        IngestRequest gcode = uploaded(GcodeFiles.CURA, Part.Type.gcode);
        send(gcode);
        for (int killed = 0; killed < 5; killed++) {
            assertThat(queues.receive(requests)).hasSize(1);
        }
        poll(function(stageReports));
        assertThat(queues.drained(requests)).isEmpty();
        assertThat(moves(reportsByRun(), gcode)).containsExactly(tuple(READ_METADATA, failed));
    }

    @Test
    void reportsTooLargeForOneMessageAreSplitInOrder() throws IOException {
        var printed = new SlicingEstimate(60, 1.5, "now", "slicer3", List.of(), null, NO_FILAMENTS, null, null, null);
        List<StageReport> reports = Stream.of(StageKey.values())
                .map(key -> new StageReport(
                        IngestedPart.STORE,
                        Id.next(),
                        "w".repeat(24),
                        new Stage(key, failed, 1, "x".repeat(100_000)),
                        Findings.ofEstimate(printed)))
                .toList();
        new ResultQueues(queues.client(), MAPPER, stageReports, sliceAnswers).sendReports(reports);
        List<String> bodies = queues.drained(stageReports);
        assertThat(bodies).hasSize(3).allSatisfy(body -> assertThat(body).hasSizeLessThan(256 << 10));
        assertThat(reports(bodies)).isEqualTo(reports);
    }

    @Test
    void charactersThatSqsRejectsArriveUnchanged() throws IOException {
        String error = "a\uFFFEb\uFFFFc";
        StageReport report = new StageReport(
                IngestedPart.STORE, Id.next(), "w".repeat(24), new Stage(fetch, failed, 1, error), null);
        SliceResult answer = new SliceResult(IngestedPart.STORE, Id.next(), null, error);
        ResultQueues answers = new ResultQueues(queues.client(), MAPPER, stageReports, sliceAnswers);
        answers.sendReports(List.of(report));
        answers.sendSliceAnswer(answer);
        assertThat(reports(queues.drained(stageReports))).containsExactly(report);
        assertThat(MAPPER.readValue(queues.drained(sliceAnswers).getFirst(), SliceResult.class))
                .isEqualTo(answer);
    }

    @Test
    void reportTooLargeForTheQueueFailsItsStage() throws IOException {
        String run = "w".repeat(24);
        StageReport small = new StageReport(IngestedPart.STORE, Id.next(), run, new Stage(fetch, done, 1, null), null);
        StageReport large = new StageReport(
                IngestedPart.STORE,
                small.partId(),
                run,
                new Stage(READ_METADATA, done, 1, null),
                Findings.ofPlates(Map.of("x", "x".repeat(2 << 20))));
        ResultQueues answers = new ResultQueues(queues.client(), MAPPER, stageReports, sliceAnswers);
        answers.sendReports(List.of(small, large));
        answers.sendSliceAnswer(new SliceResult(IngestedPart.STORE, "slice", null, "x".repeat(2 << 20)));
        List<StageReport> reports = reports(queues.drained(stageReports));
        assertThat(reports).hasSize(2).startsWith(small);
        assertThat(reports.getLast().partId()).isEqualTo(small.partId());
        assertThat(reports.getLast().workflowKey()).isEqualTo(run);
        assertThat(reports.getLast().stage().key()).isEqualTo(READ_METADATA);
        assertThat(reports.getLast().stage().status()).isEqualTo(failed);
        assertThat(reports.getLast().stage().error())
                .matches("The result cannot be sent: the queue takes no message of \\d{7} bytes");
        SliceResult answer = Objects.requireNonNull(
                MAPPER.readValue(queues.drained(sliceAnswers).getFirst(), SliceResult.class));
        assertThat(answer.sliceId()).isEqualTo("slice");
        assertThat(answer.error()).startsWith("The result cannot be sent");
    }
}
