package farm.gantry.aws;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.CustomResource;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Size;
import software.amazon.awscdk.services.events.CronOptions;
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
import software.amazon.awscdk.services.rds.Endpoint;
import software.amazon.awscdk.services.secretsmanager.ISecret;
import software.amazon.awscdk.services.sqs.Queue;
import software.constructs.Construct;

/** The functions, each with a role of minimal permissions, and their triggers. */
final class LambdaFunctions extends Construct {
    private static final String HANDLERS = "farm.gantry.api.main.function.";
    private static final String JVM = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+UseCompactObjectHeaders";

    /**
     * The number of concurrent executions of the link's function. A thousand agents that poll every five seconds keep
     * three busy.
     */
    static final int LINKS_AT_ONCE = 10;

    /** Half of the worker's memory is its heap, by its image; the other half is for a program that it runs. */
    static final int WORKER_MEGABYTES = 4096;

    /** Agents connect once a day, and again after a broken connection. */
    static final int AUTHORIZERS_AT_ONCE = 5;

    /** The time limit of requests in seconds, below the gateway's 30. */
    private static final int ANSWER_SECONDS = 29;

    private static final int MIGRATION_SECONDS = 600;
    static final String ADMIN = "admin";
    private static final String LINK_MQTT = "link-mqtt";
    private static final String LINK_AUTHORIZER = "link-authorizer";
    private static final String SECRETS = "GANTRY_SECRETS";
    private static final String CLEANUP = "cleanup";
    private static final String SWEEP = "sweep";
    private static final String DELIVERY = "delivery";

    /** Functions that Lambda restores from a snapshot, because somebody waits for their start. */
    private static final Set<String> RESTORED =
            Set.of("api", "link", LINK_MQTT, LINK_AUTHORIZER, "schedule", DELIVERY, "report");

    /** The queues of what the functions with the API's code send. */
    private static final List<String> SENT = Stream.concat(
                    WorkQueues.WORKER.stream(), Stream.of(WorkQueues.SCHEDULE, WorkQueues.WEBHOOKS))
            .toList();

    /** The files that {@code gantry-admin doctor} looks for, which do not exist. */
    static final String DOCTOR_FILES = "uploads/doctordoctordoctordoctor/";

    /** The maximum of Lambda; the encryption of all secrets may take long. */
    private static final int ADMIN_SECONDS = 900;

    private final StageSettings stage;
    private final Network network;
    private final DataStorage data;
    private final WorkQueues queues;
    private final Alarms alarms;
    private final Artifacts artifacts;
    private final Map<String, Function> all = new LinkedHashMap<>();
    private final Map<String, String> apiEnvironment;
    private final LayerVersion authorities;
    private final Alias api;
    private final FunctionUrl link;
    private final Optional<LinkBroker> broker;

    LambdaFunctions(
            Construct scope,
            StageSettings stage,
            Network network,
            DataStorage data,
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
        this.apiEnvironment = apiEnvironment(publicUrl);
        CustomResource migrated = addMigration();
        addWorker();
        this.link = addLink(migrated);
        this.api = addApi(migrated);
        this.broker = stage.hasIot() ? Optional.of(addBroker(migrated)) : Optional.empty();
        addQueueFunction("schedule", "ScheduleFunction", 60, List.of(WorkQueues.SCHEDULE), 10, migrated);
        addQueueFunction(DELIVERY, "DeliveryFunction", 300, List.of(WorkQueues.WEBHOOKS), 1, migrated);
        addQueueFunction(
                "report",
                "WorkerResultFunction",
                60,
                List.of(WorkQueues.STAGE_REPORTS, WorkQueues.SLICE_ANSWERS),
                10,
                migrated);
        addScheduledFunction(SWEEP, "SweepFunction", 55, Schedule.rate(Duration.minutes(1)));
        // At the hour, when the sweep and the agents read the database, so that it resumes once for all.
        addScheduledFunction(
                CLEANUP,
                "CleanupFunction",
                900,
                Schedule.cron(CronOptions.builder().minute("0").build()));
        addAdmin();
        EventAlarms.addSilenceAlarm(this, alarms, function(SWEEP));
        EventAlarms.addSilentAgentsAlarm(this, alarms, function(SWEEP));
        all.forEach((name, function) -> {
            if (!name.equals("migration") && !name.equals("ingest")) {
                function.getNode().addDependency(migrated);
            }
        });
    }

    /**
     * Returns the environment of a function that has the API's beans. It names the secrets, which the function reads.
     */
    private Map<String, String> apiEnvironment(String publicUrl) {
        Map<String, String> settings = new HashMap<>(commonEnvironment());
        settings.put("GANTRY_AWS_REGION", Aws.REGION);
        settings.put("GANTRY_AWS_BUCKET", data.files().getBucketName());
        settings.put(
                "GANTRY_AWS_QUEUE_PREFIX",
                "https://sqs." + Aws.REGION + "." + (network.hasNat() ? Aws.URL_SUFFIX : "api.aws") + "/"
                        + Aws.ACCOUNT_ID + "/" + stage.prefix());
        settings.put("GANTRY_AWS_KMS_KEY", data.key().getKeyArn());
        settings.put("GANTRY_AWS_TABLE_PREFIX", stage.prefix());
        settings.put("GANTRY_FILES_FOLDER", "/tmp");
        settings.put("GANTRY_LOG", "json");
        settings.put("GANTRY_AGENTS_POLL_INTERVAL", stage.agentsAskAfter());
        settings.put("GANTRY_AGENTS_IDLE_POLL_INTERVAL", stage.agentsAskQuietAfter());
        settings.put("GANTRY_PUBLIC_URL", publicUrl);
        settings.put("DATASOURCES_DEFAULT_URL", jdbcUrl());
        settings.put(
                SECRETS,
                "datasources.default.password=" + data.password().getSecretArn() + ",gantry.pepper="
                        + data.pepper().getSecretArn());
        return settings;
    }

    /**
     * Returns the environment of every function in the network: when it must read its secrets again, which it does at
     * its start, and how it reaches AWS, by IPv6 alone without a NAT gateway.
     */
    private Map<String, String> commonEnvironment() {
        Map<String, String> settings = new HashMap<>(Map.of("SECRETS_SINCE", stage.secretsSince()));
        settings.put("JAVA_TOOL_OPTIONS", network.hasNat() ? JVM : JVM + " -Djava.net.preferIPv6Addresses=true");
        if (!network.hasNat()) {
            settings.put("AWS_USE_DUALSTACK_ENDPOINT", "true");
        }
        return settings;
    }

    private String jdbcUrl() {
        return jdbcUrl(data.database().getClusterEndpoint());
    }

    private static String jdbcUrl(Endpoint database) {
        return "jdbc:postgresql://" + database.getSocketAddress() + "/" + DataStorage.DATABASE
                + "?sslmode=verify-full&sslrootcert=/opt/rds.pem";
    }

    private CustomResource addMigration() {
        Map<String, String> settings = new HashMap<>(commonEnvironment());
        settings.put("GANTRY_JDBC_URL", jdbcUrl());
        settings.put("GANTRY_OWNER_SECRET", ownerSecret().getSecretArn());
        settings.put("GANTRY_API_SECRET", data.password().getSecretArn());
        Function function = createFunction("migration", "MigrationFunction", MIGRATION_SECONDS, settings);
        allowReading(function, ownerSecret());
        allowReading(function, data.password());
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

    private ISecret ownerSecret() {
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
    private Map<String, String> requestEnvironment() {
        Map<String, String> settings = new HashMap<>(apiEnvironment);
        settings.put("GANTRY_DATABASE_STATEMENT_TIMEOUT", "20s");
        return settings;
    }

    private Alias addApi(CustomResource migrated) {
        Map<String, String> settings = requestEnvironment();
        settings.put("GANTRY_AGENTS_PUBLIC_URL", link.getUrl());
        if (stage.readers() > 0) {
            settings.put("GANTRY_DATABASE_REPLICA_URL", jdbcUrl(data.database().getClusterReadEndpoint()));
        }
        data.originSecret()
                .ifPresent(secret -> settings.merge(
                        SECRETS, "gantry.aws.origin-secret=" + secret.getSecretArn(), (all, own) -> all + "," + own));
        Function api = createFunction("api", "HttpApiFunction", ANSWER_SECONDS, settings);
        data.originSecret().ifPresent(secret -> allowReading(api, secret));
        allowServing(api);
        allowPolls(api); // of agents that were paired before the link had an address
        allow(
                api,
                List.of("dynamodb:GetItem", "dynamodb:PutItem"),
                data.rateLimits().getTableArn());
        return publishAlias("api", api, migrated);
    }

    /**
     * Creates the link's own function, because agents send many requests: other functions cannot keep it busy, and it
     * needs no gateway.
     */
    private FunctionUrl addLink(CustomResource migrated) {
        Function link = createFunction("link", "AgentLinkFunction", ANSWER_SECONDS, requestEnvironment());
        allowServing(link);
        allowPolls(link);
        alarms.addFailureAlarm(
                this,
                "link-answers",
                "Error responses",
                "agents are answered errors",
                Alarms.SEVERAL,
                link.metric("Url5xxCount", Alarms.fiveMinuteSum()));
        return publishAlias("link", link, migrated)
                .addFunctionUrl(FunctionUrlOptions.builder()
                        .authType(FunctionUrlAuthType.NONE) // the agent's token
                        .build());
    }

    /**
     * Creates the broker's functions. A function drops an old request that waited for it, so that nothing is retained
     * for long.
     */
    private LinkBroker addBroker(CustomResource migrated) {
        Function authorizer = createFunction(LINK_AUTHORIZER, "IotAuthorizerFunction", 5, apiEnvironment);
        allowReading(authorizer, data.password());
        allowReading(authorizer, data.pepper());
        // The first start of a function with the API's beans wraps the first data key.
        allow(authorizer, List.of("kms:Encrypt"), data.key().getKeyArn());
        Map<String, String> settings = requestEnvironment();
        settings.put("GANTRY_AWS_IOT_CORE_ENABLED", "true");
        Function link = createFunction(LINK_MQTT, "IotLinkFunction", ANSWER_SECONDS, settings);
        allowServing(link);
        allow(
                link,
                List.of("iot:Publish"),
                "arn:" + Aws.PARTITION + ":iot:" + Aws.REGION + ":" + Aws.ACCOUNT_ID + ":topic/gantry/link/*/down");
        allow(link, List.of("dynamodb:Query"), data.marks().getTableArn());
        Alias live = publishAlias(LINK_MQTT, link, migrated);
        live.configureAsyncInvoke(onceWithinAMinute());
        EventAlarms.addDroppedEventsAlarm(this, alarms, LINK_MQTT, thresholdOf(LINK_MQTT), link);
        return new LinkBroker(this, stage, publishAlias(LINK_AUTHORIZER, authorizer, migrated), live, alarms);
    }

    /**
     * Creates the function that runs operators' commands. Nothing calls it: who may, is a policy of the account. It is
     * not retried, because a command repeated is another store or key.
     */
    private void addAdmin() {
        Function admin = createFunction(ADMIN, "AdminFunction", ADMIN_SECONDS, apiEnvironment);
        admin.configureAsyncInvoke(onceWithinAMinute());
        allowReading(admin, data.password());
        allowReading(admin, data.pepper());
        allow(admin, List.of("kms:Encrypt"), data.key().getKeyArn());
        allow(admin, List.of("s3:GetObject"), data.files().getBucketArn() + "/" + DOCTOR_FILES + "*");
        allow(admin, List.of("s3:ListBucket"), data.files().getBucketArn());
        queues.all()
                .values()
                .forEach(queue ->
                        allow(admin, List.of("sqs:SendMessage", "sqs:GetQueueAttributes"), queue.getQueueArn()));
        queues.deadLetters()
                .values()
                .forEach(dead -> allow(
                        admin,
                        List.of(
                                "sqs:GetQueueAttributes",
                                "sqs:ReceiveMessage",
                                "sqs:DeleteMessage",
                                "sqs:StartMessageMoveTask"),
                        dead.getQueueArn()));
    }

    /** Returns the number of failures within five minutes that raise an alarm; an hourly function has no three. */
    private static int thresholdOf(String name) {
        return name.equals(CLEANUP) ? 1 : Alarms.SEVERAL;
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
     * Publishes a version of the function and returns its alias. Lambda takes a snapshot of the started version and
     * copies it for each execution. The version depends on the migration, because it connects to the database at its
     * start.
     */
    private Alias publishAlias(String name, Function function, CustomResource migrated) {
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

    private void addQueueFunction(
            String name, String handler, int seconds, List<String> sources, int batch, CustomResource migrated) {
        Function function = createFunction(name, handler, seconds, apiEnvironment);
        allowWork(name, function);
        Alias live = publishAlias(name, function, migrated);
        sources.forEach(source -> live.addEventSource(new SqsEventSource(
                queues.queue(source),
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
    private void addScheduledFunction(String name, String handler, int seconds, Schedule schedule) {
        Function function = createFunction(name, handler, seconds, apiEnvironment);
        allowWork(name, function);
        function.configureAsyncInvoke(onceWithinAMinute());
        EventAlarms.addDroppedEventsAlarm(this, alarms, name, thresholdOf(name), function);
        Rule rule = Rule.Builder.create(this, name + "-rule")
                .schedule(schedule)
                .targets(List.of(
                        LambdaFunction.Builder.create(function).retryAttempts(0).build()))
                .build();
        EventAlarms.addFailedCallsAlarm(this, alarms, name, thresholdOf(name), rule);
    }

    /** Lets a function of background work do its own work, or any work of the API. */
    private void allowWork(String name, Function function) {
        switch (name) {
            case DELIVERY -> {
                allowDatabase(function);
                allowSending(function, List.of(WorkQueues.WEBHOOKS));
                // Thumbnails in messages of notification channels.
                allow(function, List.of("s3:GetObject"), data.files().getBucketArn() + "/files/*");
                allow(function, List.of("s3:ListBucket"), data.files().getBucketArn());
            }
            case SWEEP -> {
                allowDatabase(function);
                allowSending(function, SENT);
                allow(
                        function,
                        List.of("dynamodb:Scan", "dynamodb:Query", "dynamodb:PutItem", "dynamodb:DeleteItem"),
                        data.marks().getTableArn());
            }
            default -> allowServing(function);
        }
    }

    /** Lets the function answer polls of idle agents by their marks. */
    private void allowPolls(Function function) {
        allow(
                function,
                List.of("dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:PutItem"),
                data.marks().getTableArn());
    }

    /** Lets the function do any work of the API. */
    private void allowServing(Function function) {
        allowFiles(function, List.of("s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload"));
        allowDatabase(function);
        allowSending(function, SENT);
    }

    /** Lets the function read and change the database, and record that a store is in use. */
    private void allowDatabase(Function function) {
        allow(function, List.of("dynamodb:UpdateItem"), data.marks().getTableArn());
        // The first start of a function with the API's beans wraps the first data key.
        allow(function, List.of("kms:Encrypt"), data.key().getKeyArn());
        allowReading(function, data.password());
        allowReading(function, data.pepper());
    }

    /**
     * Creates the worker. It needs no database, so it is outside of the network, and reaches S3 and SQS by their public
     * addresses.
     */
    private void addWorker() {
        LogGroup logs = createLogGroup("ingest");
        Function function = DockerImageFunction.Builder.create(this, "ingest")
                .code(DockerImageCode.fromImageAsset(artifacts.ingest().toString()))
                .functionName(stage.prefix() + "ingest")
                .description("reads part files, and slices")
                .architecture(Architecture.X86_64)
                .memorySize(WORKER_MEGABYTES)
                .ephemeralStorageSize(Size.gibibytes(4))
                .timeout(Duration.seconds(WorkQueues.WORKER_SECONDS))
                .role(createRole("ingest", logs))
                .logGroup(logs)
                .environment(Map.of(
                        "GANTRY_FILES_BUCKET", data.files().getBucketName(),
                        "GANTRY_WORKER_TOOL_MEMORY_BYTES", Long.toString(((long) WORKER_MEGABYTES << 20) / 2),
                        "GANTRY_QUEUES_STAGE_REPORTS",
                                queues.queue(WorkQueues.STAGE_REPORTS).getQueueUrl(),
                        "GANTRY_QUEUES_SLICE_ANSWERS",
                                queues.queue(WorkQueues.SLICE_ANSWERS).getQueueUrl()))
                .build();
        WorkQueues.WORKER.forEach(name -> function.addEventSource(new SqsEventSource(
                queues.queue(name),
                SqsEventSourceProps.builder()
                        .batchSize(1)
                        .maxConcurrency(stage.workersAtOnce())
                        .reportBatchItemFailures(true)
                        .build())));
        allowFiles(function, List.of("s3:GetObject", "s3:PutObject"));
        allowSending(function, List.of(WorkQueues.STAGE_REPORTS, WorkQueues.SLICE_ANSWERS));
        add("ingest", function);
    }

    private Function createFunction(String name, String handler, int seconds, Map<String, String> settings) {
        LogGroup logs = createLogGroup(name);
        Role role = createRole(name, logs);
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
        if (RESTORED.contains(name)) {
            function.snapStart(SnapStartConf.ON_PUBLISHED_VERSIONS);
        }
        if (atOnce > 0) {
            function.reservedConcurrentExecutions(atOnce);
        }
        Function added = add(name, function.build());
        if (atOnce > 0) {
            alarms.addFailureAlarm(
                    this,
                    name + "-throttled",
                    "Throttled calls",
                    "the function " + name + " is called more often than it may run at once",
                    Alarms.SEVERAL,
                    added.metricThrottles(Alarms.fiveMinuteSum()));
        }
        return added;
    }

    private Function add(String name, Function function) {
        all.put(name, function);
        alarms.addFailureAlarm(
                this,
                name,
                "Errors of functions",
                "the function " + name + " fails",
                thresholdOf(name),
                function.metricErrors(Alarms.fiveMinuteSum()));
        return function;
    }

    private LogGroup createLogGroup(String name) {
        return LogGroup.Builder.create(this, name + "-log")
                .logGroupName("/gantry/" + stage.name() + "/" + name)
                .retention(toRetention(stage.logDays()))
                .removalPolicy(RemovalPolicy.DESTROY)
                .build();
    }

    /** Returns the shortest retention that CloudWatch offers and that is at least this many days. */
    static RetentionDays toRetention(int days) {
        return days <= 7
                ? RetentionDays.ONE_WEEK
                : days <= 30
                        ? RetentionDays.ONE_MONTH
                        : days <= 90 ? RetentionDays.THREE_MONTHS : RetentionDays.ONE_YEAR;
    }

    private Role createRole(String name, LogGroup logs) {
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

    private void allowFiles(Function function, List<String> actions) {
        allow(function, actions, data.files().getBucketArn() + "/*");
        allow(function, List.of("s3:ListBucket"), data.files().getBucketArn());
        allow(
                function,
                List.of("kms:Decrypt", "kms:GenerateDataKey"),
                data.key().getKeyArn());
    }

    private void allowReading(Function function, ISecret secret) {
        allow(function, List.of("secretsmanager:GetSecretValue"), secret.getSecretArn());
        allow(function, List.of("kms:Decrypt"), data.key().getKeyArn());
    }

    private void allowSending(Function function, List<String> names) {
        names.stream()
                .map(queues::queue)
                .map(Queue::getQueueArn)
                .forEach(arn -> allow(function, List.of("sqs:SendMessage"), arn));
    }

    private static void allow(Function function, List<String> actions, String resource) {
        function.addToRolePolicy(PolicyStatement.Builder.create()
                .actions(actions)
                .resources(List.of(resource))
                .build());
    }

    Function function(String name) {
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
