package farm.gantry.api.aws;

import farm.gantry.Id;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.queue.OutboxDispatcher;
import farm.gantry.api.queue.OutboxDispatchContract;
import farm.gantry.api.queue.OutboxRows;
import farm.gantry.api.queue.RejectedRequestHandler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.testcontainers.containers.localstack.LocalStackContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.DockerImageName;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** Tests the dispatch of messages to queues of LocalStack; skipped without Docker. */
@Testcontainers(disabledWithoutDocker = true)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LocalStackDispatchTest implements OutboxDispatchContract {
    @Container
    private static final LocalStackContainer STACK = new LocalStackContainer(
                    DockerImageName.parse("localstack/localstack:4.9"))
            .withServices(LocalStackContainer.Service.SQS);

    private SqsClient client;

    @BeforeAll
    void start() {
        client = SqsClient.builder()
                .endpointOverride(STACK.getEndpoint())
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(STACK.getAccessKey(), STACK.getSecretKey())))
                .region(Region.of(STACK.getRegion()))
                .build();
    }

    @AfterAll
    void stop() {
        client.close();
    }

    private String url(String queue) {
        return client.getQueueUrl(request -> request.queueName(queue)).queueUrl();
    }

    @Override
    public OutboxDispatcher dispatch() {
        String any = newQueue();
        String prefix = url(any).substring(0, url(any).length() - any.length());
        return new SqsDispatch(
                SharedApi.bean(OutboxRows.class),
                SharedApi.bean(RejectedRequestHandler.class),
                client,
                new AwsSettings(STACK.getRegion(), "", prefix, null, null));
    }

    @Override
    public String newQueue() {
        String name = Id.next();
        client.createQueue(request -> request.queueName(name));
        return name;
    }

    @Override
    public List<String> drained(String queue) {
        List<String> bodies = new ArrayList<>();
        for (List<Message> some = some(queue); !some.isEmpty(); some = some(queue)) {
            for (Message message : some) {
                bodies.add(message.body());
                client.deleteMessage(request -> request.queueUrl(url(queue)).receiptHandle(message.receiptHandle()));
            }
        }
        return bodies;
    }

    private List<Message> some(String queue) {
        return client.receiveMessage(request -> request.queueUrl(url(queue)).maxNumberOfMessages(10))
                .messages();
    }
}
