package farm.gantry.ingest.function.emulator;

import farm.gantry.Id;
import farm.gantry.ingest.function.AwsClients;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** An SQS emulator in this process. */
public final class Queues {
    private final SQSRestServer server;
    private final SdkSettings settings;
    private final SqsClient client;

    public Queues() {
        server = SQSRestServerBuilder.withInterface("127.0.0.1")
                .withDynamicPort()
                .withAWSRegion(SdkSettings.REGION)
                .start();
        int port = server.waitUntilStarted().localAddress().getPort();
        settings = new SdkSettings("aws.endpointUrlSqs", port);
        client = AwsClients.newSqsClient(SdkSettings.REGION);
    }

    public SqsClient client() {
        return client;
    }

    /** Creates a queue whose messages become visible again at once until they are deleted. */
    public String newQueue() {
        return newQueue(Id.next(), Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "0"));
    }

    public String newOrderedQueue() {
        return newQueue(Id.next() + ".fifo", Map.of(QueueAttributeName.FIFO_QUEUE, "true"));
    }

    private String newQueue(String name, Map<QueueAttributeName, String> attributes) {
        return client.createQueue(request -> request.queueName(name).attributes(attributes))
                .queueUrl();
    }

    public void send(String queue, String body) {
        client.sendMessage(message -> message.queueUrl(queue).messageBody(body));
    }

    /** Receives up to ten messages with their receive counts. */
    public List<Message> receive(String queue) {
        return receive(queue, 10);
    }

    public List<Message> receive(String queue, int most) {
        return client.receiveMessage(request -> request.queueUrl(queue)
                        .maxNumberOfMessages(most)
                        .messageSystemAttributeNames(MessageSystemAttributeName.ALL))
                .messages();
    }

    public void delete(String queue, Message message) {
        client.deleteMessage(request -> request.queueUrl(queue).receiptHandle(message.receiptHandle()));
    }

    /** Returns the bodies of all messages and deletes them. */
    public List<String> drained(String queue) {
        List<String> bodies = new ArrayList<>();
        for (List<Message> some = receive(queue); !some.isEmpty(); some = receive(queue)) {
            for (Message message : some) {
                bodies.add(message.body());
                delete(queue, message);
            }
        }
        return bodies;
    }

    /** Removes all messages, including those delayed or in flight. */
    public void purge(String queue) {
        client.purgeQueue(request -> request.queueUrl(queue));
    }

    public void stop() {
        client.close();
        settings.close();
        server.stopAndWait();
    }
}
