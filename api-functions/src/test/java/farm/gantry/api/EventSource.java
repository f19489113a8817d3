package farm.gantry.api;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import farm.gantry.Id;
import farm.gantry.ingest.function.emulator.Queues;
import io.micronaut.function.aws.proxy.MockLambdaContext;
import io.micronaut.serde.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.sqs.model.Message;

/** Hands a queue's messages to a function, as Lambda does, and deletes those that it has not failed. */
public record EventSource(Queues queues, String queue, RequestHandler<SQSEvent, SQSBatchResponse> function) {
    private static final PojoSerializer<SQSEvent> EVENTS =
            LambdaEventSerializers.serializerFor(SQSEvent.class, EventSource.class.getClassLoader());

    /** Time enough. */
    public static final class Call extends MockLambdaContext {
        @Override
        public int getRemainingTimeInMillis() {
            return 15 * 60_000;
        }
    }

    /** Hands over what there is, at most ten messages, and returns the bodies of those that were done. */
    public List<String> handOver() {
        return handOver(10);
    }

    /** The same with at most so many, as an event source mapping's batch size says. */
    List<String> handOver(int most) {
        List<Message> messages = queues.receive(queue, most);
        if (messages.isEmpty()) {
            return List.of();
        }
        Set<String> failed = failed(function.handleRequest(
                event(messages.stream()
                        .map(message -> Map.of(
                                "messageId", message.messageId(),
                                "body", message.body(),
                                "attributes", message.attributesAsStrings()))
                        .toList()),
                new Call()));
        List<Message> done = messages.stream()
                .filter(message -> !failed.contains(message.messageId()))
                .toList();
        done.forEach(message -> queues.delete(queue, message));
        return done.stream().map(Message::body).toList();
    }

    static Set<String> failed(SQSBatchResponse answer) {
        return answer.getBatchItemFailures().stream()
                .map(SQSBatchResponse.BatchItemFailure::getItemIdentifier)
                .collect(Collectors.toSet());
    }

    /** An event of messages with these bodies. */
    static SQSEvent of(String... bodies) {
        return event(Arrays.stream(bodies)
                .map(body -> Map.of("messageId", Id.next(), "body", body, "attributes", Map.of()))
                .toList());
    }

    /** As the runtime reads it from what Lambda sends. */
    static SQSEvent event(List<? extends Map<String, ?>> records) {
        try {
            return EVENTS.fromJson(
                    new ByteArrayInputStream(ObjectMapper.getDefault().writeValueAsBytes(Map.of("Records", records))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
