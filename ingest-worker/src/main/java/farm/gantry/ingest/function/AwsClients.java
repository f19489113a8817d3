package farm.gantry.ingest.function;

import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Clients of AWS over the JDK's own HTTP, which starts fastest; endpoint and credentials come from the SDK's settings.
 */
public final class AwsClients {
    private AwsClients() {}

    /**
     * Returns a client with bucket names in the path, because S3-compatible storage seldom has a host name for each
     * bucket.
     */
    public static S3Client newS3Client(String region) {
        return S3Client.builder()
                .region(Region.of(region))
                .forcePathStyle(System.getenv("AWS_ENDPOINT_URL_S3") != null)
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build();
    }

    public static SqsClient newSqsClient(String region) {
        return SqsClient.builder()
                .region(Region.of(region))
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build();
    }
}
