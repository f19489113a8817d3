package farm.gantry.api.aws;

import farm.gantry.Id;
import farm.gantry.api.http.ratelimit.RateLimitContract;
import farm.gantry.api.http.ratelimit.RateLimits;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.testcontainers.containers.localstack.LocalStackContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.DockerImageName;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Tests rate limits that are counted in a table of LocalStack; skipped without Docker. */
@Testcontainers(disabledWithoutDocker = true)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LocalStackRateLimitsTest implements RateLimitContract {
    @Container
    private static final LocalStackContainer STACK = new LocalStackContainer(
                    DockerImageName.parse("localstack/localstack:4.9"))
            .withServices(LocalStackContainer.Service.DYNAMODB);

    private static final String PREFIX = "gantry-" + Id.next() + "-";

    @BeforeAll
    void start() {
        DynamoTables.addRateLimits(client(), PREFIX);
    }

    private static DynamoDbClient client() {
        return DynamoDbClient.builder()
                .endpointOverride(STACK.getEndpoint())
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(STACK.getAccessKey(), STACK.getSecretKey())))
                .region(Region.of(STACK.getRegion()))
                .build();
    }

    @Override
    public RateLimits limits(InstantSource clock) {
        return new DynamoDbRateLimits(client(), DynamoTables.settings(PREFIX), clock);
    }
}
