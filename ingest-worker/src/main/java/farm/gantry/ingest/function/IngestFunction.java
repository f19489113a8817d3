package farm.gantry.ingest.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import farm.gantry.ingest.worker.Worker;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The worker as a Lambda function behind SQS queues of requests; it reports the failed items of a batch. */
public final class IngestFunction implements RequestStreamHandler {
    /** Writes empty lists too, because they are results, while a missing list is none. */
    static final ObjectMapper MAPPER = ObjectMapper.create(Map.of("micronaut.serde.serialization.inclusion", "ALWAYS"));

    private final SqsBatchHandler batch;

    /** Called by Lambda. */
    public IngestFunction() {
        this(FunctionSettings.read(System.getenv()));
    }

    public IngestFunction(FunctionSettings settings) {
        var files = new BucketFileStorage(AwsClients.newS3Client(settings.region()), settings.bucket());
        var answers = new ResultQueues(
                AwsClients.newSqsClient(settings.region()), MAPPER, settings.stageReports(), settings.sliceAnswers());
        var worker = new Worker(files, settings.folder(), settings.toolchain());
        this.batch =
                new SqsBatchHandler(worker, MAPPER, answers::sendReports, answers::sendSliceAnswer, answers::retry);
    }

    @Override
    public void handleRequest(InputStream event, OutputStream answer, @Nullable Context context) throws IOException {
        answer.write(batch.handle(event.readAllBytes()));
    }
}
