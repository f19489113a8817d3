package farm.gantry.api.aws;

import farm.gantry.ingest.function.AwsClients;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.iotdataplane.IotDataPlaneClient;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.sqs.SqsClient;

/** AWS clients, each created on first use. */
@Factory
final class AwsClientFactory {
    /** Timeout of table requests: a caller waits for them, and none is important enough to wait longer. */
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final Region region;

    AwsClientFactory(AwsSettings settings) {
        this.region = Region.of(settings.region());
    }

    @Singleton
    @Bean(preDestroy = "close")
    S3Client storage() {
        return AwsClients.storage(region.id());
    }

    @Singleton
    @Bean(preDestroy = "close")
    SqsClient queues() {
        return AwsClients.queues(region.id());
    }

    @Singleton
    @Bean(preDestroy = "close")
    KmsClient keys() {
        return KmsClient.builder()
                .region(region)
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build();
    }

    @Singleton
    @Bean(preDestroy = "close")
    DynamoDbClient tables() {
        return DynamoDbClient.builder()
                .region(region)
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(TIMEOUT)
                        .socketTimeout(TIMEOUT))
                .overrideConfiguration(
                        calls -> calls.apiCallTimeout(TIMEOUT).retryStrategy(DefaultRetryStrategy.doNotRetry()))
                .build();
    }

    @Singleton
    @Bean(preDestroy = "close")
    @Requires(property = "gantry.aws.iot", value = "true")
    IotDataPlaneClient messages() {
        return IotDataPlaneClient.builder()
                .region(region)
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build();
    }

    /** Signs locally; only the credentials are fetched. */
    @Singleton
    @Bean(preDestroy = "close")
    S3Presigner presigner(S3Client storage) {
        return S3Presigner.builder().region(region).s3Client(storage).build();
    }
}
