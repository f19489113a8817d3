package farm.gantry.api.aws;

import farm.gantry.Id;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.file.FileUrls;
import farm.gantry.api.file.KeptFilesContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.testcontainers.containers.localstack.LocalStackContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.DockerImageName;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Tests files in a bucket of LocalStack, which stores checksums; skipped without Docker. */
@Testcontainers(disabledWithoutDocker = true)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LocalStackFilesTest implements KeptFilesContract {
    @Container
    private static final LocalStackContainer STACK = new LocalStackContainer(
                    DockerImageName.parse("localstack/localstack:4.9"))
            .withServices(LocalStackContainer.Service.S3);

    private final AwsSettings settings = new AwsSettings("us-east-1", Id.next(), "", null, null);

    @BeforeAll
    void start() {
        client().createBucket(request -> request.bucket(settings.bucket()));
    }

    private static StaticCredentialsProvider credentials() {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(STACK.getAccessKey(), STACK.getSecretKey()));
    }

    private static S3Client client() {
        return S3Client.builder()
                .endpointOverride(STACK.getEndpoint())
                .credentialsProvider(credentials())
                .region(Region.of(STACK.getRegion()))
                .forcePathStyle(true)
                .build();
    }

    @Override
    public FileStorage files() {
        return new S3Files(client(), settings, Long.MAX_VALUE);
    }

    @Override
    public FileUrls urls() {
        return new PresignedUrls(
                S3Presigner.builder()
                        .endpointOverride(STACK.getEndpoint())
                        .credentialsProvider(credentials())
                        .region(Region.of(STACK.getRegion()))
                        .serviceConfiguration(S3Configuration.builder()
                                .pathStyleAccessEnabled(true)
                                .build())
                        .build(),
                settings);
    }

    @Override
    public String base() {
        return settings.bucket();
    }
}
