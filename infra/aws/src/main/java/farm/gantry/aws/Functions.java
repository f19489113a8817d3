package farm.gantry.aws;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.CustomResource;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Size;
import software.amazon.awscdk.services.events.Rule;
import software.amazon.awscdk.services.events.Schedule;
import software.amazon.awscdk.services.events.targets.LambdaFunction;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.lambda.Alias;
import software.amazon.awscdk.services.lambda.Architecture;
import software.amazon.awscdk.services.lambda.Code;
import software.amazon.awscdk.services.lambda.DockerImageCode;
import software.amazon.awscdk.services.lambda.DockerImageFunction;
import software.amazon.awscdk.services.lambda.EventInvokeConfigOptions;
import software.amazon.awscdk.services.lambda.Function;
import software.amazon.awscdk.services.lambda.FunctionUrl;
import software.amazon.awscdk.services.lambda.FunctionUrlAuthType;
import software.amazon.awscdk.services.lambda.FunctionUrlOptions;
import software.amazon.awscdk.services.lambda.LayerVersion;
import software.amazon.awscdk.services.lambda.Runtime;
import software.amazon.awscdk.services.lambda.SnapStartConf;
import software.amazon.awscdk.services.lambda.Version;
import software.amazon.awscdk.services.lambda.eventsources.SqsEventSource;
import software.amazon.awscdk.services.lambda.eventsources.SqsEventSourceProps;
import software.amazon.awscdk.services.logs.LogGroup;
import software.amazon.awscdk.services.logs.RetentionDays;
import software.amazon.awscdk.services.secretsmanager.ISecret;
import software.amazon.awscdk.services.sqs.Queue;
import software.constructs.Construct;

/** The functions, each with a role of minimal permissions, and their triggers. */
final class Functions extends Construct {
    private static final String HANDLERS = "farm.gantry.api.main.function.";
    private static final String JVM = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+UseCompactObjectHeaders";

    /** A thousand agents that poll every five seconds keep three busy. */
    static final int LINKS_AT_ONCE = 10;

    /** Half of the worker's memory is its heap, by its image; the other half is for a program that it runs. */
    static final int WORKER_MEGABYTES = 4096;

    /** Agents connect once a day, and again after a broken connection. */
    static final int AUTHORIZERS_AT_ONCE = 5;

    /** The gateway waits 30 s. */
    private static final int ANSWER_SECONDS = 29;

    private static final int MIGRATION_SECONDS = 600;
    private static final String LINK_MQTT = "link-mqtt";
    private static final String LINK_AUTHORIZER = "link-authorizer";
    private static final String CLEANUP = "cleanup";

    private final StageSettings stage;
    private final Network network;
    private final Data data;
    private final WorkQueues queues;
    private final Alarms alarms;
    private final Artifacts artifacts;
    private final Map<String, Function> all = new LinkedHashMap<>();
    private final Map<String, String> environment;
    private final LayerVersion authorities;
    private final Alias api;
    private final FunctionUrl link;
    private final Optional<LinkBroker> broker;

    Functions(
            Construct scope,
            StageSettings stage,
            Network network,
            Data data,
            WorkQueues queues,
            Alarms alarms,
            Artifacts artifacts,
            String publicUrl) {
        super(scope, "Functions");
        this.stage = stage;
        this.network = network;
        this.data = data;
        this.queues = queues;
        this.alarms = alarms;
        this.artifacts = artifacts;
        this.authorities = LayerVersion.Builder.create(this, "Authorities")
                .description("certificates of the authorities of RDS")
                .code(Code.fromAsset(artifacts.authorities().toString()))
                .compatibleRuntimes(List.of(Runtime.JAVA_25))
                .build();
        this.environment = environment(publicUrl);
        CustomResource migrated = migration();
        worker();
        this.link = link(migrated);
        this.api = api(migrated);
        this.broker = stage.hasIot() ? Optional.of(broker(migrated)) : Optional.empty();
        work("schedule", "ScheduleFunction", 60, List.of(WorkQueues.SCHEDULE), 10);
        work("delivery", "DeliveryFunction", 300, List.of(WorkQueues.WEBHOOKS), 1);
        work("report", "WorkerResultFunction", 60, List.of(WorkQueues.STAGE_REPORTS, WorkQueues.SLICE_ANSWERS), 10);
        clocked("sweep", "SweepFunction", 55, Duration.minutes(1));
        clocked(CLEANUP, "CleanupFunction", 900, Duration.hours(1));
        all.forEach((name, function) -> {
            if (!name.equals("migration") && !name.equals("ingest")) {
                function.getNode().addDependency(migrated);
            }
        });
    }

    /**
     * Returns the environment of a function that has the API's beans. It names the secrets, which the function reads.
     */
    private Map<String, String> environment(String publicUrl) {
        Map<String, String> settings = new HashMap<>(common());
        settings.put("GANTRY_AWS_REGION", Aws.REGION);
        settings.put("GANTRY_AWS_BUCKET", data.files().getBucketName());
        settings.put(
                "GANTRY_AWS_QUEUE_PREFIX",
                "https://sqs." + Aws.REGION + "." + (network.hasNat() ? Aws.URL_SUFFIX : "api.aws") + "/"
                        + Aws.ACCOUNT_ID + "/" + stage.prefix());
        settings.put("GANTRY_AWS_KEY", data.key().getKeyArn());
        settings.put("GANTRY_AWS_TABLE_PREFIX", stage.prefix());
        settings.put("GANTRY_FILES_FOLDER", "/tmp");
        settings.put("GANTRY_LOG", "json");
        settings.put("GANTRY_LINK_POLL_INTERVAL", stage.agentsAskAfter());
        settings.put("GANTRY_LINK_IDLE_POLL_INTERVAL", stage.agentsAskQuietAfter());
        settings.put("GANTRY_PUBLIC_URL", publicUrl);
        settings.put("DATASOURCES_DEFAULT_URL", jdbcUrl());
        settings.put(
                "GANTRY_SECRETS",
                "datasources.default.password=" + data.password().getSecretArn() + ",gantry.pepper="
                        + data.pepper().getSecretArn());
        return settings;
    }

    /**
     * Returns the environment of every function in the network: when it must read its secrets again, which it does at
     * its start, and how it reaches AWS, by IPv6 alone without a NAT gateway.
     */
    private Map<String, String> common() {
        Map<String, String> settings = new HashMap<>(Map.of("SECRETS_SINCE", stage.secretsSince()));
        settings.put("JAVA_TOOL_OPTIONS", network.hasNat() ? JVM : JVM + " -Djava.net.preferIPv6Addresses=true");
        if (!network.hasNat()) {
            settings.put("AWS_USE_DUALSTACK_ENDPOINT", "true");
        }
        return settings;
    }

    private String jdbcUrl() {
        return "jdbc:postgresql://" + data.database().getClusterEndpoint().getSocketAddress() + "/" + Data.DATABASE
                + "?sslmode=verify-full&sslrootcert=/opt/rds.pem";
    }

    private CustomResource migration() {
        Map<String, String> settings = new HashMap<>(common());
        settings.put("GANTRY_JDBC_URL", jdbcUrl());
        settings.put("GANTRY_OWNER_SECRET", owner().getSecretArn());
        settings.put("GANTRY_API_SECRET", data.password().getSecretArn());
        Function function = function("migration", "MigrationFunction", MIGRATION_SECONDS, settings);
        mayRead(function, owner());
        mayRead(function, data.password());
        CustomResource migrated = CustomResource.Builder.create(this, "Migrated")
                .resourceType("Custom::GantryMigration")
                .serviceToken(function.getFunctionArn())
                // One that is ended by its timeout answers nothing, for which an hour would be waited.
                .serviceTimeout(Duration.seconds(MIGRATION_SECONDS + 30))
                .properties(Map.of("code", function.getCurrentVersion().getVersion()))
                .build();
        migrated.getNode().addDependency(data.database());
        function.getRole().getNode().getChildren().forEach(migrated.getNode()::addDependency);
        return migrated;
    }

    private ISecret owner() {
        ISecret secret = data.database().getSecret();
        if (secret == null) {
            throw new IllegalStateException("the database has no owner");
        }
        return secret;
    }

    /**
     * Returns the environment of a function that answers requests: a statement is cancelled while there is time to
     * report it.
     */
    private Map<String, String> answering() {
        Map<String, String> settings = new HashMap<>(environment);
        settings.put("GANTRY_DATABASE_STATEMENT_TIMEOUT", "20s");
        return settings;
    }

    private Alias api(CustomResource migrated) {
        Map<String, String> settings = answering();
        settings.put("GANTRY_LINK_ADDRESS", link.getUrl());
        Function api = function("api", "HttpApiFunction", ANSWER_SECONDS, settings);
        mayServe(api);
        may(
                api,
                List.of("dynamodb:GetItem", "dynamodb:PutItem"),
                data.rateLimits().getTableArn());
        return live("api", api, migrated);
    }

    /**
     * Creates the link's own function, because agents send many requests: other functions cannot keep it busy, and it
     * needs no gateway.
     */
    private FunctionUrl link(CustomResource migrated) {
        Function link = function("link", "AgentLinkFunction", ANSWER_SECONDS, answering());
        mayServe(link);
        alarms.onFailures(
                this,
                "link-answers",
                "agents are answered errors",
                Alarms.SEVERAL,
                link.metric("Url5xxCount", Alarms.sum()));
        return live("link", link, migrated)
                .addFunctionUrl(FunctionUrlOptions.builder()
                        .authType(FunctionUrlAuthType.NONE) // the agent's token
                        .build());
    }

    /**
     * Creates the broker's functions. A function drops an old request that waited for it, so that nothing is retained
     * for long.
     */
    private LinkBroker broker(CustomResource migrated) {
        Function authorizer = function(LINK_AUTHORIZER, "IotAuthorizerFunction", 5, environment);
        mayRead(authorizer, data.password());
        mayRead(authorizer, data.pepper());
        // // The first start of a function with the API's beans wraps the first data key.
        may(authorizer, List.of("kms:Encrypt"), data.key().getKeyArn());
        Map<String, String> settings = answering();
        settings.put("GANTRY_AWS_IOT", "true");
        Function link = function(LINK_MQTT, "IotLinkFunction", ANSWER_SECONDS, settings);
        mayServe(link);
        may(
                link,
                List.of("iot:Publish"),
                "arn:" + Aws.PARTITION + ":iot:" + Aws.REGION + ":" + Aws.ACCOUNT_ID + ":topic/gantry/link/*/down");
        Alias live = live(LINK_MQTT, link, migrated);
        live.configureAsyncInvoke(onceWithinAMinute());
        return new LinkBroker(this, stage, live(LINK_AUTHORIZER, authorizer, migrated), live, alarms);
    }

    private static EventInvokeConfigOptions onceWithinAMinute() {
        return EventInvokeConfigOptions.builder()
                .maxEventAge(Duration.minutes(1))
                .retryAttempts(0)
                .build();
    }

    /** Returns the broker for agents that use MQTT, if the stage has one. */
    Optional<LinkBroker> broker() {
        return broker;
    }

    /**
     * Returns the served version. Lambda takes a snapshot of it after its start and copies the snapshot; so it starts,
     * and connects to the database, once that is ready.
     */
    private Alias live(String name, Function function, CustomResource migrated) {
        Version version = function.getCurrentVersion();
        version.getNode().addDependency(migrated);
        Objects.requireNonNull(function.getRole()).getNode().getChildren().forEach(version.getNode()::addDependency);
        return Alias.Builder.create(this, name + "-live")
                .aliasName("live")
                .version(version)
                .build();
    }

    /** Returns the function that the gateway calls. */
    Alias api() {
        return api;
    }

    /** Returns the link's URL for agents. */
    String linkUrl() {
        return link.getUrl();
    }

    private void work(String name, String handler, int seconds, List<String> sources, int batch) {
        Function function = function(name, handler, seconds, environment);
        mayServe(function);
        sources.forEach(source -> function.addEventSource(new SqsEventSource(
                queues.of(source),
                SqsEventSourceProps.builder()
                        .batchSize(batch)
                        .maxConcurrency(5)
                        .reportBatchItemFailures(true)
                        .build())));
    }

    /**
     * Creates a scheduled function. A failed or delayed call is not retried: the next call is near, and two at once
     * would conflict.
     */
    private void clocked(String name, String handler, int seconds, Duration every) {
        Function function = function(name, handler, seconds, environment);
        mayServe(function);
        function.configureAsyncInvoke(onceWithinAMinute());
        Rule.Builder.create(this, name + "-rule")
                .schedule(Schedule.rate(every))
                .targets(List.of(
                        LambdaFunction.Builder.create(function).retryAttempts(0).build()))
                .build();
    }

    private void mayServe(Function function) {
        mayUseFiles(function, List.of("s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload"));
        may(function, List.of("kms:Encrypt"), data.key().getKeyArn());
        mayRead(function, data.password());
        mayRead(function, data.pepper());
        List<String> sent = new ArrayList<>(WorkQueues.WORKER);
        sent.add(WorkQueues.SCHEDULE);
        sent.add(WorkQueues.WEBHOOKS);
        maySend(function, sent);
    }

    /**
     * Creates the worker. It needs no database, so it is outside of the network, and reaches S3 and SQS by their public
     * addresses.
     */
    private void worker() {
        LogGroup logs = logs("ingest");
        Function function = DockerImageFunction.Builder.create(this, "ingest")
                .code(DockerImageCode.fromImageAsset(artifacts.ingest().toString()))
                .functionName(stage.prefix() + "ingest")
                .description("reads part files, and slices")
                .architecture(Architecture.X86_64)
                .memorySize(WORKER_MEGABYTES)
                .ephemeralStorageSize(Size.gibibytes(4))
                .timeout(Duration.seconds(WorkQueues.WORKER_SECONDS))
                .role(role("ingest", logs))
                .logGroup(logs)
                .environment(Map.of(
                        "GANTRY_FILES_BUCKET", data.files().getBucketName(),
                        "GANTRY_WORKER_TOOL_MEMORY_BYTES", Long.toString(((long) WORKER_MEGABYTES << 20) / 2),
                        "GANTRY_QUEUES_STAGE_REPORTS",
                                queues.of(WorkQueues.STAGE_REPORTS).getQueueUrl(),
                        "GANTRY_QUEUES_SLICE_ANSWERS",
                                queues.of(WorkQueues.SLICE_ANSWERS).getQueueUrl()))
                .build();
        WorkQueues.WORKER.forEach(name -> function.addEventSource(new SqsEventSource(
                queues.of(name),
                SqsEventSourceProps.builder()
                        .batchSize(1)
                        .maxConcurrency(stage.workersAtOnce())
                        .reportBatchItemFailures(true)
                        .build())));
        mayUseFiles(function, List.of("s3:GetObject", "s3:PutObject"));
        maySend(function, List.of(WorkQueues.STAGE_REPORTS, WorkQueues.SLICE_ANSWERS));
        add("ingest", function);
    }

    private Function function(String name, String handler, int seconds, Map<String, String> settings) {
        LogGroup logs = logs(name);
        Role role = role(name, logs);
        role.addToPolicy(PolicyStatement.Builder.create()
                .sid("Network")
                .actions(List.of(
                        "ec2:CreateNetworkInterface",
                        "ec2:DescribeNetworkInterfaces",
                        "ec2:DescribeSubnets",
                        "ec2:DeleteNetworkInterface",
                        "ec2:AssignPrivateIpAddresses",
                        "ec2:UnassignPrivateIpAddresses"))
                .resources(List.of("*")) // these know no other
                .build());
        Function.Builder function = Function.Builder.create(this, name)
                .functionName(stage.prefix() + name)
                .runtime(Runtime.JAVA_25)
                .architecture(Architecture.ARM_64)
                .handler(HANDLERS + handler)
                .code(Code.fromAsset(artifacts.functions().toString()))
                .memorySize(1024)
                .timeout(Duration.seconds(seconds))
                .vpc(network.vpc())
                .vpcSubnets(network.functionSubnets())
                .securityGroups(List.of(network.functions()))
                .ipv6AllowedForDualStack(!network.hasNat())
                .role(role)
                .logGroup(logs)
                .layers(List.of(authorities))
                .environment(settings);
        int atOnce = switch (name) {
            case "api" -> stage.apiAtOnce();
            case "link", LINK_MQTT -> LINKS_AT_ONCE;
            case LINK_AUTHORIZER -> AUTHORIZERS_AT_ONCE;
            default -> 0;
        };
        if (atOnce > 0) {
            function.snapStart(SnapStartConf.ON_PUBLISHED_VERSIONS);
            function.reservedConcurrentExecutions(atOnce);
        }
        Function added = add(name, function.build());
        if (atOnce > 0) {
            alarms.onFailures(
                    this,
                    name + "-throttled",
                    "the function " + name + " is called more often than it may run at once",
                    Alarms.SEVERAL,
                    added.metricThrottles(Alarms.sum()));
        }
        return added;
    }

    private Function add(String name, Function function) {
        all.put(name, function);
        // What is called once an hour never fails three times within five minutes.
        int threshold = name.equals(CLEANUP) ? 1 : Alarms.SEVERAL;
        alarms.onFailures(
                this, name, "the function " + name + " fails", threshold, function.metricErrors(Alarms.sum()));
        return function;
    }

    private LogGroup logs(String name) {
        return LogGroup.Builder.create(this, name + "-log")
                .logGroupName("/gantry/" + stage.name() + "/" + name)
                .retention(retention(stage.logDays()))
                .removalPolicy(RemovalPolicy.DESTROY)
                .build();
    }

    /** Returns CloudWatch's shortest retention that is at least as long. */
    static RetentionDays retention(int days) {
        return days <= 7
                ? RetentionDays.ONE_WEEK
                : days <= 30
                        ? RetentionDays.ONE_MONTH
                        : days <= 90 ? RetentionDays.THREE_MONTHS : RetentionDays.ONE_YEAR;
    }

    private Role role(String name, LogGroup logs) {
        Role role = Role.Builder.create(this, name + "-role")
                .assumedBy(new ServicePrincipal("lambda.amazonaws.com"))
                .build();
        role.addToPolicy(PolicyStatement.Builder.create()
                .sid("Log")
                .actions(List.of("logs:CreateLogStream", "logs:PutLogEvents"))
                .resources(List.of(logs.getLogGroupArn()))
                .build());
        return role;
    }

    private void mayUseFiles(Function function, List<String> actions) {
        may(function, actions, data.files().getBucketArn() + "/*");
        may(function, List.of("s3:ListBucket"), data.files().getBucketArn());
        may(function, List.of("kms:Decrypt", "kms:GenerateDataKey"), data.key().getKeyArn());
    }

    private void mayRead(Function function, ISecret secret) {
        may(function, List.of("secretsmanager:GetSecretValue"), secret.getSecretArn());
        may(function, List.of("kms:Decrypt"), data.key().getKeyArn());
    }

    private void maySend(Function function, List<String> names) {
        names.stream()
                .map(queues::of)
                .map(Queue::getQueueArn)
                .forEach(arn -> may(function, List.of("sqs:SendMessage"), arn));
    }

    private static void may(Function function, List<String> actions, String resource) {
        function.addToRolePolicy(PolicyStatement.Builder.create()
                .actions(actions)
                .resources(List.of(resource))
                .build());
    }

    Function of(String name) {
        Function function = all.get(name);
        if (function == null) {
            throw new IllegalArgumentException("there is no function " + name);
        }
        return function;
    }

    Map<String, Function> all() {
        return all;
    }
}
