package farm.gantry.api.aws;

import farm.gantry.api.database.MasterKey;
import farm.gantry.api.database.MasterKeyContract;
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
import software.amazon.awssdk.services.kms.KmsClient;

/** Tests a master key in the KMS of LocalStack; skipped without Docker. */
@Testcontainers(disabledWithoutDocker = true)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LocalStackMasterKeyTest implements MasterKeyContract {
    @Container
    private static final LocalStackContainer STACK = new LocalStackContainer(
                    DockerImageName.parse("localstack/localstack:4.9"))
            .withServices(LocalStackContainer.Service.KMS);

    private KmsClient client;
    private String key;

    @BeforeAll
    void start() {
        client = KmsClient.builder()
                .endpointOverride(STACK.getEndpoint())
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(STACK.getAccessKey(), STACK.getSecretKey())))
                .region(Region.of(STACK.getRegion()))
                .build();
        key = client.createKey().keyMetadata().arn();
    }

    @AfterAll
    void stop() {
        client.close();
    }

    @Override
    public MasterKey masterKey() {
        return new KmsMasterKey(client, new AwsSettings(STACK.getRegion(), "", "", key, null));
    }
}
