package farm.gantry.api.aws;

import farm.gantry.api.http.ratelimit.RateLimit;
import farm.gantry.api.http.ratelimit.RateLimits;
import farm.gantry.api.http.ratelimit.TokenBucket;
import farm.gantry.api.http.ratelimit.TokenBuckets;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.enhanced.dynamodb.model.PutItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/**
 * Rate limits as token buckets in DynamoDB, shared by all functions. Each item has a version, which prevents lost
 * updates. Rejected requests write nothing, and full buckets expire by the time to live of the table. While DynamoDB is
 * unreachable, each process counts by itself.
 */
@Singleton
@Requires(property = "gantry.aws.table-prefix")
final class DynamoDbRateLimits implements RateLimits {
    static final String TABLE = "rate-limits";
    static final String CALLER = "caller";
    static final String EXPIRES_AT = "expiresAt";

    private static final String TOKENS = "tokens";
    private static final String AT = "at";
    private static final String VERSION = "version";
    /** Maximum attempts; of concurrent requests of one caller, one succeeds in each round. */
    private static final int MAX_ROUNDS = 100;

    private static final TableSchema<EnhancedDocument> SCHEMA = TableSchema.documentSchemaBuilder()
            .addIndexPartitionKey(TableMetadata.primaryIndexName(), CALLER, AttributeValueType.S)
            .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
            .build();

    private final DynamoDbTable<EnhancedDocument> table;
    private final InstantSource clock;
    private final TableFallback fallback;

    @Inject
    DynamoDbRateLimits(DynamoDbClient tables, AwsSettings settings) {
        this(tables, settings, InstantSource.system());
    }

    DynamoDbRateLimits(DynamoDbClient tables, AwsSettings settings, InstantSource clock) {
        this.table = DynamoDbEnhancedClient.builder()
                .dynamoDbClient(tables)
                .build()
                .table(settings.tablePrefix() + TABLE, SCHEMA);
        this.clock = clock;
        this.fallback = new TableFallback(table.tableName(), "each process counts requests by itself", clock);
    }

    @Override
    public RateLimit create(int perMinute, int burst) {
        RateLimit ofProcess = new TokenBuckets(perMinute, burst, clock);
        return new RateLimit() {
            @Override
            public Decision take(String caller) {
                return fallback.get(() -> takeToken(caller, perMinute, burst), () -> ofProcess.take(caller));
            }

            @Override
            public Decision check(String caller) {
                return fallback.get(() -> checkBucket(caller, perMinute, burst), () -> ofProcess.check(caller));
            }
        };
    }

    private @Nullable EnhancedDocument findItem(String caller) {
        return table.getItem(get -> get.key(key -> key.partitionValue(caller)).consistentRead(true));
    }

    private static TokenBucket bucket(@Nullable EnhancedDocument item, int perMinute, int burst, Instant now) {
        return item == null
                ? TokenBucket.full(perMinute, burst, now)
                : new TokenBucket(perMinute, burst, Math.min(burst, tokens(item)), countedAt(item)).refilledAt(now);
    }

    private RateLimit.Decision checkBucket(String caller, int perMinute, int burst) {
        TokenBucket bucket = bucket(findItem(caller), perMinute, burst, clock.instant());
        return bucket.decision(bucket.hasToken());
    }

    private RateLimit.Decision takeToken(String caller, int perMinute, int burst) {
        EnhancedDocument item = findItem(caller);
        for (int round = 0; round < MAX_ROUNDS; round++) {
            TokenBucket bucket = bucket(item, perMinute, burst, clock.instant());
            if (!bucket.hasToken()) {
                return bucket.decision(false);
            }
            TokenBucket left = bucket.withoutToken();
            try {
                put(caller, left, item);
                return left.decision(true);
            } catch (ConditionalCheckFailedException overtaken) {
                item = overtaken.hasItem() ? EnhancedDocument.fromAttributeValueMap(overtaken.item()) : null;
            }
        }
        throw new IllegalStateException("overtaken " + MAX_ROUNDS + " times");
    }

    private static double tokens(EnhancedDocument item) {
        return item.getNumber(TOKENS).doubleValue();
    }

    private static Instant countedAt(EnhancedDocument item) {
        return Instant.parse(item.getString(AT));
    }

    private void put(String caller, TokenBucket bucket, @Nullable EnhancedDocument before) {
        long version = before == null ? 0 : before.getNumber(VERSION).longValue();
        EnhancedDocument after = EnhancedDocument.builder()
                .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
                .putString(CALLER, caller)
                .putNumber(TOKENS, bucket.tokens())
                .putString(AT, bucket.at().toString())
                .putNumber(VERSION, version + 1)
                .putNumber(EXPIRES_AT, bucket.fullAt().getEpochSecond() + 1)
                .build();
        table.putItem(PutItemEnhancedRequest.builder(EnhancedDocument.class)
                .item(after)
                .conditionExpression(before == null ? isAbsent() : isStill(version))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build());
    }

    private static Expression isAbsent() {
        return Expression.builder()
                .expression("attribute_not_exists(#caller)")
                .expressionNames(Map.of("#caller", CALLER))
                .build();
    }

    private static Expression isStill(long version) {
        return Expression.builder()
                .expression("#version = :version")
                .expressionNames(Map.of("#version", VERSION))
                .expressionValues(Map.of(":version", AttributeValue.fromN(Long.toString(version))))
                .build();
    }
}
