package farm.gantry.api.aws;

import io.micronaut.context.annotation.ConfigurationProperties;
import org.jspecify.annotations.Nullable;

/**
 * Where this install is on AWS, or which store that speaks S3 has its files. Credentials, and endpoints of S3-compatible services, are settings of the SDK.
 *
 * @param region as AWS names it
 * @param bucket of the files
 * @param queuePrefix what a queue's URL begins with, before its name; without one the queues are those of PostgreSQL
 * @param key the id, ARN or alias of the KMS key that wraps the keys of secrets; without one it is {@code gantry.secret-key}
 * @param tablePrefix what a DynamoDB table's name begins with; without one there are no tables
 */
@ConfigurationProperties("gantry.aws")
record AwsSettings(
        String region,
        String bucket,
        @Nullable String queuePrefix,
        @Nullable String key,
        @Nullable String tablePrefix) {}
