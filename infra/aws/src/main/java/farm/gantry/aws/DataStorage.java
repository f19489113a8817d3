package farm.gantry.aws;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.services.dynamodb.Attribute;
import software.amazon.awscdk.services.dynamodb.AttributeType;
import software.amazon.awscdk.services.dynamodb.BillingMode;
import software.amazon.awscdk.services.dynamodb.Table;
import software.amazon.awscdk.services.dynamodb.TableEncryption;
import software.amazon.awscdk.services.iam.Effect;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.kms.Key;
import software.amazon.awscdk.services.rds.AuroraPostgresClusterEngineProps;
import software.amazon.awscdk.services.rds.AuroraPostgresEngineVersion;
import software.amazon.awscdk.services.rds.BackupProps;
import software.amazon.awscdk.services.rds.ClusterInstance;
import software.amazon.awscdk.services.rds.Credentials;
import software.amazon.awscdk.services.rds.CredentialsBaseOptions;
import software.amazon.awscdk.services.rds.DatabaseCluster;
import software.amazon.awscdk.services.rds.DatabaseClusterEngine;
import software.amazon.awscdk.services.rds.IClusterInstance;
import software.amazon.awscdk.services.rds.ServerlessV2ClusterInstanceProps;
import software.amazon.awscdk.services.s3.BlockPublicAccess;
import software.amazon.awscdk.services.s3.Bucket;
import software.amazon.awscdk.services.s3.BucketEncryption;
import software.amazon.awscdk.services.s3.CorsRule;
import software.amazon.awscdk.services.s3.HttpMethods;
import software.amazon.awscdk.services.s3.LifecycleRule;
import software.amazon.awscdk.services.secretsmanager.Secret;
import software.amazon.awscdk.services.secretsmanager.SecretStringGenerator;
import software.constructs.Construct;

/**
 * The storage of the farm's data: the database, the files, the secrets, the key that encrypts them, and the tables of
 * rate-limit counters and of marks.
 */
final class DataStorage extends Construct {
    static final String DATABASE = "gantry";

    private final Key key;
    private final Bucket files;
    private final DatabaseCluster database;
    private final Secret password;
    private final Secret pepper;
    private final Optional<Secret> originSecret;
    private final Table rateLimits;
    private final Table marks;

    DataStorage(Construct scope, StageSettings stage, Network network) {
        super(scope, "Data");
        RemovalPolicy removal = stage.keepsData() ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
        this.key = Key.Builder.create(this, "Key")
                .alias("alias/gantry-" + stage.name())
                .description("wraps the data keys of secrets, and encrypts files, database and alarms")
                .enableKeyRotation(true)
                .removalPolicy(removal)
                .build();
        key.addToResourcePolicy(PolicyStatement.Builder.create()
                .sid("AlarmsAreEncrypted")
                .effect(Effect.ALLOW)
                .principals(List.of(new ServicePrincipal("cloudwatch.amazonaws.com")))
                .actions(List.of("kms:Decrypt", "kms:GenerateDataKey"))
                .resources(List.of("*"))
                .build());
        this.files = Bucket.Builder.create(this, "Files")
                .encryption(BucketEncryption.KMS)
                .encryptionKey(key)
                .bucketKeyEnabled(true)
                .blockPublicAccess(BlockPublicAccess.BLOCK_ALL)
                .enforceSsl(true)
                .versioned(true)
                .removalPolicy(removal)
                .lifecycleRules(List.of(
                        LifecycleRule.builder()
                                .id("staged uploads")
                                .prefix("uploads/")
                                .expiration(Duration.days(1))
                                .noncurrentVersionExpiration(Duration.days(1))
                                .build(),
                        LifecycleRule.builder()
                                .id("what was deleted or left behind")
                                .noncurrentVersionExpiration(Duration.days(30))
                                .expiredObjectDeleteMarker(true)
                                .abortIncompleteMultipartUploadAfter(Duration.days(1))
                                .build()))
                .build();
        this.password = createSecret("Password", removal);
        this.pepper = createSecret("Pepper", removal);
        this.originSecret =
                stage.hasOriginSecret() ? Optional.of(createSecret("OriginSecret", removal)) : Optional.empty();
        this.database = database(stage, network, removal);
        this.rateLimits = table(stage, "RateLimits", "rate-limits")
                .partitionKey(text("caller"))
                .build();
        this.marks = table(stage, "Marks", "marks")
                .partitionKey(text("storeId"))
                .sortKey(text("item"))
                .build();
    }

    /** Begins a table of items that functions write again when they are lost; none needs a backup. */
    private Table.Builder table(StageSettings stage, String id, String name) {
        return Table.Builder.create(this, id)
                .tableName(stage.prefix() + name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .timeToLiveAttribute("expiresAt")
                .encryption(TableEncryption.AWS_MANAGED)
                .removalPolicy(RemovalPolicy.DESTROY);
    }

    private static Attribute text(String name) {
        return Attribute.builder().name(name).type(AttributeType.STRING).build();
    }

    /**
     * Creates a secret generated by Secrets Manager. It is stored nowhere else, so that the encrypted data is worthless
     * without it.
     */
    private Secret createSecret(String id, RemovalPolicy removal) {
        return Secret.Builder.create(this, id)
                .encryptionKey(key)
                .generateSecretString(SecretStringGenerator.builder()
                        .passwordLength(43)
                        .excludePunctuation(true)
                        .build())
                .removalPolicy(removal)
                .build();
    }

    private DatabaseCluster database(StageSettings stage, Network network, RemovalPolicy removal) {
        DatabaseCluster cluster = DatabaseCluster.Builder.create(this, "Database")
                .engine(DatabaseClusterEngine.auroraPostgres(AuroraPostgresClusterEngineProps.builder()
                        .version(AuroraPostgresEngineVersion.of(
                                stage.databaseVersion(), stage.databaseVersion().replaceAll("\\..*", "")))
                        .build()))
                .writer(ClusterInstance.serverlessV2(
                        "Writer",
                        ServerlessV2ClusterInstanceProps.builder()
                                .publiclyAccessible(false)
                                .build()))
                .readers(createReaders(stage.readers()))
                .serverlessV2MinCapacity(stage.minCapacity())
                .serverlessV2MaxCapacity(stage.maxCapacity())
                .vpc(network.vpc())
                .vpcSubnets(network.databaseSubnets())
                .securityGroups(List.of(network.database()))
                .credentials(Credentials.fromGeneratedSecret(
                        "postgres",
                        CredentialsBaseOptions.builder().encryptionKey(key).build()))
                .defaultDatabaseName(DATABASE)
                .storageEncrypted(true)
                .storageEncryptionKey(key)
                .backup(BackupProps.builder()
                        .retention(Duration.days(stage.keepsData() ? 14 : 1))
                        .build())
                .copyTagsToSnapshot(true)
                .deletionProtection(stage.keepsData())
                .removalPolicy(stage.keepsData() ? RemovalPolicy.SNAPSHOT : removal)
                .build();
        // The owner's password, which the cluster makes itself.
        ((Secret) cluster.getNode().findChild("Secret")).applyRemovalPolicy(removal);
        return cluster;
    }

    /** Creates readers that have the capacity of the writer, because one of them replaces it when it fails. */
    private static List<IClusterInstance> createReaders(int number) {
        return IntStream.rangeClosed(1, number)
                .mapToObj(i -> ClusterInstance.serverlessV2(
                        "Reader" + i,
                        ServerlessV2ClusterInstanceProps.builder()
                                .publiclyAccessible(false)
                                .scaleWithWriter(true)
                                .build()))
                .toList();
    }

    /** Lets the console's pages upload and download files directly; a browser asks the bucket for permission (CORS). */
    void allowBrowserAccessFrom(String url) {
        files.addCorsRule(CorsRule.builder()
                .allowedOrigins(List.of(url))
                .allowedMethods(List.of(HttpMethods.GET, HttpMethods.PUT))
                .allowedHeaders(List.of("content-type", "range"))
                .maxAge(86_400)
                .build());
    }

    Key key() {
        return key;
    }

    Bucket files() {
        return files;
    }

    DatabaseCluster database() {
        return database;
    }

    Secret password() {
        return password;
    }

    Secret pepper() {
        return pepper;
    }

    /** Returns the secret that CloudFront sends to the API, if the stage has one. */
    Optional<Secret> originSecret() {
        return originSecret;
    }

    Table rateLimits() {
        return rateLimits;
    }

    /** Returns the table of what functions must know while the database pauses. */
    Table marks() {
        return marks;
    }
}
