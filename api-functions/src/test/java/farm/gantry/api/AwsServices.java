package farm.gantry.api;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import farm.gantry.api.aws.KeyService;
import farm.gantry.api.aws.Tables;
import farm.gantry.ingest.function.FunctionSettings;
import farm.gantry.ingest.function.IngestFunction;
import farm.gantry.ingest.function.emulator.Buckets;
import farm.gantry.ingest.function.emulator.Queues;
import farm.gantry.ingest.function.emulator.SdkSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** S3, SQS, DynamoDB and KMS inside this process, and what tells an install of them. */
public final class AwsServices {
    private static final List<String> QUEUES = List.of(
            farm.gantry.api.queue.Queues.SCHEDULE,
            farm.gantry.api.queue.Queues.WEBHOOKS,
            farm.gantry.api.queue.Queues.SLICE_ANSWERS,
            farm.gantry.api.queue.Queues.INGEST,
            farm.gantry.api.queue.Queues.INGEST_MODEL,
            farm.gantry.api.queue.Queues.INGEST_HEAVY,
            farm.gantry.api.queue.Queues.SLICE,
            farm.gantry.api.queue.Queues.STAGE_REPORTS + ".fifo");

    private static final PojoSerializer<SQSEvent> EVENTS =
            LambdaEventSerializers.serializerFor(SQSEvent.class, AwsServices.class.getClassLoader());
    private static final PojoSerializer<SQSBatchResponse> ANSWERS =
            LambdaEventSerializers.serializerFor(SQSBatchResponse.class, AwsServices.class.getClassLoader());

    private final Buckets buckets;
    private final Queues queues = new Queues();
    private final Tables tables = new Tables();
    private final KeyService keys = new KeyService();
    private final String bucket;
    private final String queuePrefix;
    private final Map<String, Object> settings;

    public AwsServices(Path folder) throws Exception {
        buckets = new Buckets(Files.createDirectories(folder));
        bucket = buckets.newBucket();
        String url = queues.newQueue();
        queuePrefix = url.substring(0, url.lastIndexOf('/') + 1);
        QUEUES.forEach(this::newQueue);
        settings = Map.of(
                "gantry.aws.region",
                SdkSettings.REGION,
                "gantry.aws.bucket",
                bucket,
                "gantry.aws.queue-prefix",
                queuePrefix,
                "gantry.aws.key",
                "alias/farm",
                "gantry.aws.table-prefix",
                tables.newRateLimits());
    }

    /** A message waits for its function, and not the other way round; it is shown again soon when that dies. */
    private void newQueue(String name) {
        Map<QueueAttributeName, String> attributes = new HashMap<>(Map.of(
                QueueAttributeName.RECEIVE_MESSAGE_WAIT_TIME_SECONDS, "1", QueueAttributeName.VISIBILITY_TIMEOUT, "3"));
        if (name.endsWith(".fifo")) {
            attributes.put(QueueAttributeName.FIFO_QUEUE, "true");
        }
        queues.client().createQueue(queue -> queue.queueName(name).attributes(attributes));
    }

    /** Of an install over these services. */
    public Map<String, Object> settings() {
        return settings;
    }

    public Queues queues() {
        return queues;
    }

    public String bucket() {
        return bucket;
    }

    /** How many callers' requests are counted in DynamoDB. */
    int countedCallers() {
        return tables.callers(String.valueOf(settings.get("gantry.aws.table-prefix")));
    }

    /** What the URLs of the queues begin with. */
    public String queuePrefix() {
        return queuePrefix;
    }

    /** The worker's function with a folder of its own, which reports to these queues and is given events as Lambda writes them. */
    public RequestHandler<SQSEvent, SQSBatchResponse> worker(Path folder) {
        IngestFunction function = new IngestFunction(FunctionSettings.of(Map.of(
                "AWS_REGION",
                SdkSettings.REGION,
                "GANTRY_FILES_BUCKET",
                bucket,
                "GANTRY_QUEUES_STAGE_REPORTS",
                queuePrefix + farm.gantry.api.queue.Queues.STAGE_REPORTS + ".fifo",
                "GANTRY_QUEUES_SLICE_ANSWERS",
                queuePrefix + farm.gantry.api.queue.Queues.SLICE_ANSWERS,
                "GANTRY_WORKER_FOLDER",
                folder.toString())));
        return (event, context) -> {
            ByteArrayOutputStream json = new ByteArrayOutputStream();
            EVENTS.toJson(event, json);
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            try {
                function.handleRequest(new ByteArrayInputStream(json.toByteArray()), answer, context);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return ANSWERS.fromJson(new ByteArrayInputStream(answer.toByteArray()));
        };
    }

    public void stop() throws Exception {
        keys.close();
        tables.stop();
        queues.stop();
        buckets.stop();
    }
}
