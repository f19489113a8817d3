package farm.gantry.api.aws;

import io.micronaut.context.annotation.ConfigurationProperties;
import org.jspecify.annotations.Nullable;

/**
 * AWS region, or the S3-compatible service that stores files. Credentials, and endpoints of S3-compatible services, are
 * settings of the SDK.
 *
 * @param region AWS region
 * @param bucket bucket of the files
 * @param queuePrefix prefix of queue URLs; without it queues are in PostgreSQL
 * @param kmsKey id, ARN or alias of the KMS key that wraps data keys; without it {@code gantry.secret-key} is used
 * @param tablePrefix prefix of DynamoDB table names; without it no tables are used
 */
@ConfigurationProperties("gantry.aws")
record AwsSettings(
        String region,
        String bucket,
        @Nullable String queuePrefix,
        @Nullable String kmsKey,
        @Nullable String tablePrefix) {}
