package farm.gantry.aws;

import static farm.gantry.aws.SynthesizedStages.CERTIFICATE;
import static farm.gantry.aws.SynthesizedStages.UNDER_DOMAIN;
import static farm.gantry.aws.SynthesizedStages.WITH_IOT;
import static farm.gantry.aws.SynthesizedStages.list;
import static farm.gantry.aws.SynthesizedStages.map;
import static farm.gantry.aws.SynthesizedStages.properties;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.database.schema.PostgresVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The synthesized CloudFormation template of every stage; skipped without Node. */
final class GantryStackTest {
    /** Statements that may apply to all resources, and why. */
    private static final Map<String, String> FOR_ALL = Map.of(
            "ec2:CreateNetworkInterface", "Lambda creates them in the network; EC2 cannot restrict future ones",
            "ec2:DescribeNetworkInterfaces", "EC2 offers no narrower one",
            "ec2:DescribeSubnets", "EC2 offers no narrower one",
            "ec2:DeleteNetworkInterface", "EC2 generates their ids",
            "ec2:AssignPrivateIpAddresses", "EC2 generates their ids",
            "ec2:UnassignPrivateIpAddresses", "EC2 generates their ids");

    /** The resources that are reachable from outside. */
    private static final Map<String, Set<String>> PUBLIC = Map.of(
            "dev",
            Set.of("AWS::ApiGatewayV2::Api"),
            "prod",
            Set.of("AWS::ApiGatewayV2::Api", "AWS::CloudFront::Distribution"),
            WITH_IOT,
            Set.of("AWS::ApiGatewayV2::Api", "AWS::CloudFront::Distribution"));

    private static final SynthesizedStages STAGES = SynthesizedStages.all();

    @BeforeEach
    void needNode() {
        STAGES.assumeSynthesized();
    }

    private static List<Map<String, Object>> of(String stage, String type) {
        return STAGES.of(stage, type);
    }

    private static Stream<Map<String, Object>> allowed(String stage, Set<String> types) {
        return STAGES.allowed(stage, types);
    }

    private static StageSettings settings(String stage) {
        return STAGES.settings(stage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void rolesAllowOnlyNamedActionsAndResources(String stage) {
        List<Map<String, Object>> statements = allowed(
                        stage, Set.of("AWS::IAM::Policy", "AWS::IAM::Role", "AWS::IAM::ManagedPolicy"))
                .toList();
        assertThat(statements).hasSizeGreaterThan(20);
        for (Map<String, Object> statement : statements) {
            assertThat(list(statement.get("Action")))
                    .as("actions of %s", statement)
                    .noneMatch(action -> String.valueOf(action).contains("*"));
            assertThat(statement).doesNotContainKeys("NotAction", "NotResource");
            if (list(statement.get("Resource")).contains("*")) {
                assertThat(list(statement.get("Action")).stream()
                                .map(String::valueOf)
                                .toList())
                        .as("for all resources")
                        .isSubsetOf(FOR_ALL.keySet());
            }
        }
        assertThat(of(stage, "AWS::IAM::Role"))
                .as("policies that others may widen")
                .allSatisfy(role -> assertThat(role).doesNotContainKey("ManagedPolicyArns"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void storageQueuesAndTopicsAreEncrypted(String stage) {
        assertThat(of(stage, "AWS::S3::Bucket"))
                .isNotEmpty()
                .allSatisfy(bucket -> assertThat(bucket).containsKey("BucketEncryption"));
        assertThat(of(stage, "AWS::RDS::DBCluster"))
                .isNotEmpty()
                .allSatisfy(database -> assertThat(database)
                        .containsEntry("StorageEncrypted", true)
                        .containsKey("KmsKeyId"));
        assertThat(of(stage, "AWS::SQS::Queue"))
                .isNotEmpty()
                .allSatisfy(queue -> assertThat(queue).containsEntry("SqsManagedSseEnabled", true));
        assertThat(of(stage, "AWS::DynamoDB::Table"))
                .isNotEmpty()
                .allSatisfy(table -> assertThat(table).containsEntry("SSESpecification", Map.of("SSEEnabled", true)));
        assertThat(of(stage, "AWS::SNS::Topic"))
                .isNotEmpty()
                .allSatisfy(topic -> assertThat(topic).containsKey("KmsMasterKeyId"));
        assertThat(of(stage, "AWS::SecretsManager::Secret"))
                .hasSize(3)
                .allSatisfy(secret -> assertThat(secret).containsKey("KmsKeyId"));
        assertThat(of(stage, "AWS::KMS::Key"))
                .isNotEmpty()
                .allSatisfy(key -> assertThat(key).containsEntry("EnableKeyRotation", true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void bucketsQueuesAndTopicsRequireTls(String stage) {
        for (String type : List.of("AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy", "AWS::SNS::TopicPolicy")) {
            assertThat(of(stage, type))
                    .isNotEmpty()
                    .allSatisfy(policy -> assertThat(policy.toString()).contains("aws:SecureTransport=false"));
        }
        assertThat(of(stage, "AWS::SQS::QueuePolicy")).hasSameSizeAs(of(stage, "AWS::SQS::Queue"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void alarmsMayPublishToTheTopic(String stage) {
        assertThat(allowed(stage, Set.of("AWS::SNS::TopicPolicy")))
                .anySatisfy(statement -> assertThat(statement)
                        .containsEntry("Action", "sns:Publish")
                        .containsEntry("Principal", Map.of("Service", "cloudwatch.amazonaws.com")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void statementTimeoutIsShorterThanTheFunctionTimeout(String stage) {
        assertThat(of(stage, "AWS::Lambda::Function"))
                .filteredOn(function -> Integer.valueOf(29).equals(function.get("Timeout")))
                .isNotEmpty()
                .allSatisfy(function -> assertThat(
                                map(map(function.get("Environment")).get("Variables")))
                        .containsEntry("GANTRY_DATABASE_STATEMENT_TIMEOUT", "20s"));
        assertThat(of(stage, "Custom::GantryMigration"))
                .singleElement()
                .satisfies(migration -> assertThat(migration).containsEntry("ServiceTimeout", "630"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void onlyTheApiIsPublic(String stage) {
        assertThat(of(stage, "AWS::S3::Bucket"))
                .allSatisfy(bucket -> assertThat(map(bucket.get("PublicAccessBlockConfiguration")))
                        .hasSize(4)
                        .containsOnlyKeys(
                                "BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets")
                        .allSatisfy((_, blocked) -> assertThat(blocked).isEqualTo(true)));
        assertThat(of(stage, "AWS::RDS::DBInstance"))
                .allSatisfy(each -> assertThat(each).containsEntry("PubliclyAccessible", false));
        assertThat(of(stage, "AWS::EC2::SecurityGroup"))
                .allSatisfy(group -> assertThat(group).doesNotContainKey("SecurityGroupIngress"));
        assertThat(of(stage, "AWS::EC2::SecurityGroupIngress"))
                .allSatisfy(rule -> assertThat(rule).doesNotContainKeys("CidrIp", "CidrIpv6"));
        assertThat(of(stage, "AWS::Lambda::Url"))
                .as("of the link, which agents' tokens open")
                .singleElement()
                .satisfies(url -> assertThat(url)
                        .containsEntry("Qualifier", "live")
                        .doesNotContainKey("Cors")
                        .extracting("TargetFunctionArn")
                        .asString()
                        .contains("Functionslink"));
        assertThat(of(stage, "AWS::Lambda::Permission"))
                .filteredOn(permission -> !"*".equals(permission.get("Principal")))
                .allSatisfy(permission -> assertThat(String.valueOf(permission.get("Principal")))
                        .isIn(
                                WITH_IOT.equals(stage)
                                        ? List.of(
                                                "apigateway.amazonaws.com", "events.amazonaws.com", "iot.amazonaws.com")
                                        : List.of("apigateway.amazonaws.com", "events.amazonaws.com")));
        assertThat(of(stage, "AWS::Lambda::Permission"))
                .filteredOn(permission -> "*".equals(permission.get("Principal")))
                .isNotEmpty()
                .allSatisfy(permission -> {
                    assertThat(String.valueOf(permission.get("FunctionName"))).contains("Functionslink");
                    assertThat("NONE".equals(permission.get("FunctionUrlAuthType"))
                                    || Boolean.TRUE.equals(permission.get("InvokedViaFunctionUrl")))
                            .as("by its address alone")
                            .isTrue();
                });
        assertThat(allowed(stage, Set.of("AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy", "AWS::SNS::TopicPolicy")))
                .allSatisfy(statement ->
                        assertThat(String.valueOf(statement.get("Principal"))).doesNotContain("*"));
        assertThat(STAGES.resources(stage).values().stream()
                        .map(each -> String.valueOf(each.get("Type")))
                        .filter(type -> (type.startsWith("AWS::ApiGateway") && type.endsWith("::Api"))
                                || type.contains("LoadBalancing")
                                || type.contains("CloudFront"))
                        .collect(Collectors.toSet()))
                .isEqualTo(PUBLIC.get(stage));
    }

    @ParameterizedTest
    @ValueSource(strings = {"prod", UNDER_DOMAIN})
    void distributionRequiresTlsAndCachesOnlyConsoleFiles(String stage) {
        Map<String, Object> distribution =
                map(of(stage, "AWS::CloudFront::Distribution").getFirst().get("DistributionConfig"));
        Map<String, Object> all = map(distribution.get("DefaultCacheBehavior"));
        Map<String, Object> console =
                map(list(distribution.get("CacheBehaviors")).getFirst());
        assertThat(all).containsEntry("ViewerProtocolPolicy", "https-only");
        assertThat(console)
                .containsEntry("ViewerProtocolPolicy", "https-only")
                .containsEntry("PathPattern", "/console/" + "?".repeat(16) + "/*");
        assertThat(all.get("CachePolicyId"))
                .as("CloudFront's CachingDisabled")
                .isEqualTo("4135ea2d-6df8-44a3-9df3-4b5a84be39ad");
        assertThat(console.get("CachePolicyId"))
                .as("CloudFront's CachingOptimized")
                .isEqualTo("658327ea-f89d-4fab-a63d-7e88639e58f6");
        assertThat(list(distribution.get("Origins")))
                .singleElement()
                .satisfies(origin -> assertThat(map(map(origin).get("CustomOriginConfig")))
                        .containsEntry("OriginProtocolPolicy", "https-only"));
    }

    @Test
    void domainPointsToTheDistributionAndIsThePublicUrl() {
        Map<String, Object> distribution =
                map(of(UNDER_DOMAIN, "AWS::CloudFront::Distribution").getFirst().get("DistributionConfig"));
        assertThat(distribution).containsEntry("Aliases", List.of("farm.example"));
        assertThat(map(distribution.get("ViewerCertificate")))
                .containsEntry("AcmCertificateArn", CERTIFICATE)
                .containsEntry("MinimumProtocolVersion", "TLSv1.2_2021");
        assertThat(of(UNDER_DOMAIN, "AWS::Route53::RecordSet"))
                .extracting(record -> record.get("Type") + " " + record.get("Name") + " " + record.get("HostedZoneId"))
                .containsExactlyInAnyOrder("A farm.example. Z1", "AAAA farm.example. Z1");
        assertThat(map(map(api(UNDER_DOMAIN).get("Environment")).get("Variables")))
                .containsEntry("GANTRY_PUBLIC_URL", "https://farm.example");
        assertThat(String.valueOf(of(UNDER_DOMAIN, "AWS::S3::Bucket").getFirst().get("CorsConfiguration")))
                .as("pages that may send files to the bucket")
                .contains("AllowedOrigins=[https://farm.example]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void functionsThatSomebodyWaitsForAreRestoredFromSnapshots(String stage) {
        assertThat(api(stage)).containsEntry("SnapStart", Map.of("ApplyOn", "PublishedVersions"));
        List<Map<String, Object>> restored = of(stage, "AWS::Lambda::Function").stream()
                .filter(function -> function.containsKey("SnapStart"))
                .toList();
        assertThat(restored)
                .extracting(function -> String.valueOf(function.get("Handler")).replaceAll(".*\\.", ""))
                .contains(
                        "HttpApiFunction",
                        "AgentLinkFunction",
                        "ScheduleFunction",
                        "DeliveryFunction",
                        "WorkerResultFunction")
                .hasSize(5 + ofIot(stage));
        assertThat(of(stage, "AWS::Lambda::Alias"))
                .as("only a published version has a snapshot")
                .hasSameSizeAs(restored)
                .allSatisfy(alias -> assertThat(alias).containsEntry("Name", "live"));
        assertThat(of(stage, "AWS::Lambda::EventSourceMapping"))
                .extracting(source -> String.valueOf(source.get("FunctionName")))
                .filteredOn(function -> !function.contains("ingest"))
                .isNotEmpty()
                .allSatisfy(function -> assertThat(function).contains("live"));
        assertThat(of(stage, "AWS::ApiGatewayV2::Integration"))
                .singleElement()
                .satisfies(integration -> assertThat(String.valueOf(integration.get("IntegrationUri")))
                        .contains("apilive"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void functionsVerifyTheDatabaseCertificate(String stage) {
        assertThat(of(stage, "AWS::Lambda::Function"))
                .filteredOn(function -> function.toString().contains("jdbc:postgresql"))
                .hasSize(9 + ofIot(stage))
                .allSatisfy(function -> assertThat(function.toString())
                        .contains("sslmode=verify-full&sslrootcert=/opt/rds.pem")
                        .contains("Layers"));
    }

    /** Without the pepper, no API key in a retained database is valid any more. */
    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void secretsAreRetainedWhenTheDataIs(String stage) {
        assertThat(STAGES.resources(stage).values())
                .filteredOn(resource -> "AWS::SecretsManager::Secret".equals(resource.get("Type")))
                .hasSize(3)
                .allSatisfy(secret -> assertThat(secret)
                        .containsEntry("DeletionPolicy", settings(stage).keepsData() ? "Retain" : "Delete"));
    }

    @Test
    void workerAndItsToolShareTheFunctionMemoryEqually() throws IOException {
        assertThat(Files.readString(Path.of("src/main/docker/Dockerfile"))).contains("\"-XX:MaxRAMPercentage=40\"");
        Map<String, Object> worker = of("prod", "AWS::Lambda::Function").stream()
                .filter(function -> "Image".equals(function.get("PackageType")))
                .findFirst()
                .orElseThrow();
        long memory = ((Number) Objects.requireNonNull(worker.get("MemorySize"))).longValue() << 20;
        Map<String, Object> variables = map(map(worker.get("Environment")).get("Variables"));
        assertThat(variables).containsEntry("GANTRY_WORKER_TOOL_MEMORY_BYTES", Long.toString(memory / 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void scheduledFunctionIsNotRetriedAndItsFailureRaisesAnAlarm(String stage) {
        Map<String, Map<String, Object>> all = STAGES.resources(stage);
        for (String handler : List.of("SweepFunction", "CleanupFunction")) {
            String function = all.entrySet().stream()
                    .filter(each -> ("farm.gantry.api.main.function." + handler)
                            .equals(properties(each.getValue()).get("Handler")))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElseThrow();
            assertThat(of(stage, "AWS::Lambda::EventInvokeConfig"))
                    .filteredOn(config -> Map.of("Ref", function).equals(map(config.get("FunctionName"))))
                    .singleElement()
                    .satisfies(config -> assertThat(config)
                            .containsEntry("MaximumRetryAttempts", 0)
                            .containsEntry("MaximumEventAgeInSeconds", 60));
            assertThat(of(stage, "AWS::CloudWatch::Alarm"))
                    .filteredOn(alarm -> "Errors".equals(alarm.get("MetricName"))
                            && alarm.toString().contains("Value={Ref=" + function + "}"))
                    .singleElement()
                    .extracting(alarm -> ((Number) Objects.requireNonNull(alarm.get("Threshold"))).intValue())
                    .isEqualTo(handler.equals("CleanupFunction") ? 1 : 3);
        }
    }

    /** Lambda counts an error response of the API as a success. */
    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void errorResponsesAndThrottlesRaiseAlarms(String stage) {
        List<String> metrics = of(stage, "AWS::CloudWatch::Alarm").stream()
                .map(alarm -> String.valueOf(alarm.get("MetricName")))
                .toList();
        assertThat(metrics).containsOnlyOnce("5xx", "Url5xxCount");
        assertThat(metrics).filteredOn("Throttles"::equals).hasSize(2 + ofIot(stage));
    }

    /** Returns the number of functions that belong to the broker. */
    private int ofIot(String stage) {
        return settings(stage).hasIot() ? 2 : 0;
    }

    private Map<String, Object> api(String stage) {
        return of(stage, "AWS::Lambda::Function").stream()
                .filter(function -> "farm.gantry.api.main.function.HttpApiFunction".equals(function.get("Handler")))
                .findFirst()
                .orElseThrow();
    }

    /** Without a NAT gateway only files, tables and the database answer at an IPv4 address. */
    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod"})
    void vpcFunctionsUseIpv6WithoutANatGateway(String stage) {
        boolean isByIpv6 = of(stage, "AWS::EC2::NatGateway").isEmpty();
        assertThat(of(stage, "AWS::Lambda::Function"))
                .filteredOn(function -> function.containsKey("VpcConfig"))
                .hasSizeGreaterThan(6)
                .allSatisfy(function -> {
                    Map<String, Object> variables =
                            map(map(function.get("Environment")).get("Variables"));
                    assertThat(variables.containsKey("AWS_USE_DUALSTACK_ENDPOINT"))
                            .isEqualTo(isByIpv6);
                    assertThat(String.valueOf(variables.get("JAVA_TOOL_OPTIONS"))
                                    .contains("preferIPv6Addresses"))
                            .isEqualTo(isByIpv6);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void everyQueueHasADeadLetterQueueAndAnAlarm(String stage) {
        Map<Boolean, List<Map<String, Object>>> queues = of(stage, "AWS::SQS::Queue").stream()
                .collect(Collectors.partitioningBy(
                        queue -> String.valueOf(queue.get("QueueName")).contains("-dead")));
        List<Map<String, Object>> working = Objects.requireNonNull(queues.get(false));
        assertThat(working).hasSize(8).hasSameSizeAs(Objects.requireNonNull(queues.get(true)));
        assertThat(working).allSatisfy(queue -> assertThat(queue).containsKey("RedrivePolicy"));
        Map<String, Map<String, Object>> all = STAGES.resources(stage);
        String alarms = of(stage, "AWS::CloudWatch::Alarm").toString();
        all.forEach((id, resource) -> {
            if ("AWS::SQS::Queue".equals(resource.get("Type"))) {
                assertThat(alarms).as("alarms").contains("[" + id + ", QueueName]");
            }
        });
        assertThat(of(stage, "AWS::CloudWatch::Alarm"))
                .allSatisfy(alarm -> assertThat(alarm).containsKey("AlarmActions"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void templateContainsNoSecretValues(String stage) {
        String template = STAGES.resources(stage).toString();
        assertThat(template).contains("GANTRY_SECRETS");
        assertThat(of(stage, "AWS::SecretsManager::Secret"))
                .allSatisfy(secret -> assertThat(secret).doesNotContainKey("SecretString"));
        assertThat(of(stage, "AWS::Lambda::Function"))
                .hasSize(10 + ofIot(stage))
                .allSatisfy(function -> assertThat(
                                map(map(function.get("Environment")).get("Variables"))
                                        .toString())
                        .doesNotContain("{{resolve:")
                        .doesNotContain("PASSWORD"));
    }

    /** Lambda keeps a process, and SnapStart its snapshot, until a function's settings or code change. */
    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void functionsWithSecretsRestartWhenSecretsSinceChanges(String stage) {
        assertThat(of(stage, "AWS::Lambda::Function"))
                .extracting(function -> map(map(function.get("Environment")).get("Variables")))
                .filteredOn(variables ->
                        variables.containsKey("GANTRY_SECRETS") || variables.containsKey("GANTRY_OWNER_SECRET"))
                .hasSizeGreaterThan(6)
                .allSatisfy(variables -> assertThat(variables)
                        .containsEntry("SECRETS_SINCE", settings(stage).secretsSince()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void everyFunctionHasItsOwnLogGroupWithRetention(String stage) {
        assertThat(of(stage, "AWS::Logs::LogGroup"))
                .hasSize(12 + ofIot(stage))
                .allSatisfy(log -> assertThat(log).containsKey("RetentionInDays"));
        assertThat(of(stage, "AWS::Lambda::Function"))
                .allSatisfy(function -> assertThat(function).containsKey("LoggingConfig"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void eventSourcesReportBatchItemFailures(String stage) {
        assertThat(of(stage, "AWS::Lambda::EventSourceMapping"))
                .hasSize(8)
                .allSatisfy(source ->
                        assertThat(source).containsEntry("FunctionResponseTypes", List.of("ReportBatchItemFailures")));
        assertThat(of(stage, "AWS::Events::Rule").stream().map(rule -> rule.get("ScheduleExpression")))
                .containsExactlyInAnyOrder("rate(1 minute)", "cron(0 * * * ? *)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void tablesArePaidPerRequestAndExpireItems(String stage) throws IOException {
        Path code = Path.of("../../api-functions/src/main/java/farm/gantry/api/aws");
        List<String> texts = List.of(
                Files.readString(code.resolve("DynamoDbRateLimits.java")),
                Files.readString(code.resolve("DynamoDbMarks.java")));
        assertThat(of(stage, "AWS::DynamoDB::Table")).hasSameSizeAs(texts).allSatisfy(table -> {
            assertThat(table).containsEntry("BillingMode", "PAY_PER_REQUEST");
            String name = String.valueOf(table.get("TableName"));
            assertThat(name).startsWith("gantry-" + stage + "-");
            Map<String, Object> life = map(table.get("TimeToLiveSpecification"));
            assertThat(life).containsEntry("Enabled", true);
            assertThat(texts)
                    .filteredOn(text ->
                            text.contains(" TABLE = \"" + name.substring(("gantry-" + stage + "-").length()) + "\""))
                    .singleElement()
                    .satisfies(text -> assertThat(list(table.get("KeySchema")))
                            .allSatisfy(
                                    key -> assertThat(text).contains(" = \"" + map(key).get("AttributeName") + "\"")))
                    .satisfies(text -> assertThat(text).contains("EXPIRES_AT = \"" + life.get("AttributeName") + "\""));
        });
        assertThat(of(stage, "AWS::Lambda::Function"))
                .filteredOn(function -> "farm.gantry.api.main.function.HttpApiFunction".equals(function.get("Handler")))
                .singleElement()
                .satisfies(api -> assertThat(map(map(api.get("Environment")).get("Variables")))
                        .containsEntry("GANTRY_AWS_TABLE_PREFIX", "gantry-" + stage + "-"));
        assertThat(allowed(stage, Set.of("AWS::IAM::Policy"))
                        .filter(statement -> statement.toString().contains("DataRateLimits")))
                .as("principals that may use the table of rate limits")
                .singleElement()
                .satisfies(statement -> assertThat(list(statement.get("Action")))
                        .isEqualTo(List.of("dynamodb:GetItem", "dynamodb:PutItem")));
    }

    /** The compiler does not check this: the stack has only names. */
    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void handlersAndQueuesExistInTheCode(String stage) throws IOException {
        Path code = Path.of("../../api-functions/src/main/java/farm/gantry/api");
        List<String> handlers = of(stage, "AWS::Lambda::Function").stream()
                .map(function -> String.valueOf(function.get("Handler")))
                .filter(handler -> !handler.equals("null")) // of an image
                .toList();
        assertThat(handlers)
                .hasSize(9 + ofIot(stage))
                .allSatisfy(handler -> assertThat(code.resolve(
                                handler.replace("farm.gantry.api.", "").replace('.', '/') + ".java"))
                        .exists());
        String queues = Files.readString(code.resolve("queue/QueueNames.java"));
        assertThat(of(stage, "AWS::SQS::Queue"))
                .extracting(queue -> String.valueOf(queue.get("QueueName"))
                        .replace("gantry-" + stage + "-", "")
                        .replace(".fifo", "")
                        .replace("-dead", ""))
                .allSatisfy(name -> assertThat(queues).contains("= \"" + name + "\";"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void apiStageHasThrottlingAndAccessLogs(String stage) {
        assertThat(of(stage, "AWS::ApiGatewayV2::Stage"))
                .singleElement()
                .satisfies(api -> assertThat(api).containsKeys("AccessLogSettings", "DefaultRouteSettings"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod"})
    void everyPathIncludingTheRootIsRoutedToTheApi(String stage) {
        assertThat(of(stage, "AWS::ApiGatewayV2::Route"))
                .extracting(route -> route.get("RouteKey"))
                .containsExactlyInAnyOrder("ANY /", "ANY /{proxy+}");
        assertThat(of(stage, "AWS::ApiGatewayV2::Integration")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void databaseHasConnectionsForAllConcurrentFunctions(String stage) {
        StageSettings settings = settings(stage);
        int atOnce = settings.apiAtOnce()
                + LambdaFunctions.LINKS_AT_ONCE
                + (settings.hasIot() ? LambdaFunctions.LINKS_AT_ONCE + LambdaFunctions.AUTHORIZERS_AT_ONCE : 0)
                + 4 * 5
                + 3; // schedule, delivery, two sources of reports; the clocked and the operator's
        assertThat(2 * atOnce).isLessThan((int) (DatabaseAlarms.maxConnections(settings) * 0.9));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void bucketCorsAllowsOnlyTheFarmOrigin(String stage) {
        List<?> rules = of(stage, "AWS::S3::Bucket").stream()
                .flatMap(bucket -> list(map(bucket.get("CorsConfiguration")).get("CorsRules")).stream())
                .toList();
        assertThat(rules).hasSize(1);
        Map<String, Object> rule = map(rules.getFirst());
        assertThat(list(rule.get("AllowedOrigins"))).hasSize(1);
        assertThat(String.valueOf(rule.get("AllowedOrigins"))).doesNotContain("*");
        assertThat(list(rule.get("AllowedMethods")).toString()).isEqualTo("[GET, PUT]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod"})
    void stageWithoutIotHasNoIotResources(String stage) {
        assertThat(STAGES.resources(stage).values())
                .noneMatch(resource -> String.valueOf(resource.get("Type")).startsWith("AWS::IoT::"));
    }

    @Test
    void iotCoreUsesOnlyTheAuthorizerOfTheStage() {
        assertThat(of(WITH_IOT, "AWS::IoT::Authorizer"))
                .singleElement()
                .satisfies(authorizer -> assertThat(authorizer)
                        .containsEntry("SigningDisabled", true)
                        .containsEntry("Status", "ACTIVE")
                        .extracting("AuthorizerFunctionArn")
                        .asString()
                        .contains("linkauthorizerlive"));
        assertThat(of(WITH_IOT, "AWS::IoT::DomainConfiguration"))
                .singleElement()
                .satisfies(domain -> {
                    assertThat(domain)
                            .containsEntry("AuthenticationType", "CUSTOM_AUTH")
                            .containsEntry("ApplicationProtocol", "SECURE_MQTT");
                    assertThat(map(domain.get("AuthorizerConfig")))
                            .containsEntry("AllowAuthorizerOverride", false)
                            .extracting("DefaultAuthorizerName")
                            .asString()
                            .contains("LinkBrokerAuthorizer");
                    assertThat(String.valueOf(domain.get("TlsConfig"))).contains("TLS13_1_2");
                });
    }

    @Test
    void topicRulesCallTheLinkFunctionThatPublishesOnlyToAgents() throws IOException {
        String function = Files.readString(
                Path.of("../../api-functions/src/main/java/farm/gantry/api/main/function/IotLinkFunction.java"));
        List<Map<String, Object>> rules = of(WITH_IOT, "AWS::IoT::TopicRule").stream()
                .map(rule -> map(rule.get("TopicRulePayload")))
                .toList();
        assertThat(rules)
                .extracting(rule -> String.valueOf(rule.get("Sql")).replaceAll(".* FROM ", ""))
                .containsExactlyInAnyOrder("'gantry/link/+/up'", "'gantry/link/+/gone'");
        assertThat(rules).allSatisfy(rule -> {
            assertThat(list(rule.get("Actions")))
                    .singleElement()
                    .satisfies(action -> assertThat(String.valueOf(map(action).get("Lambda")))
                            .contains("linkmqttlive"));
            assertThat(Pattern.compile(" AS (\\w+)")
                            .matcher(String.valueOf(rule.get("Sql")))
                            .results()
                            .map(each -> each.group(1)))
                    .hasSize(7)
                    .allSatisfy(field -> assertThat(function).contains("\"" + field + "\""));
        });
        assertThat(of(WITH_IOT, "AWS::Lambda::Permission"))
                .filteredOn(permission -> "iot.amazonaws.com".equals(permission.get("Principal")))
                .hasSize(3)
                .allSatisfy(permission -> assertThat(permission).containsKeys("SourceArn", "SourceAccount"));
        assertThat(of(WITH_IOT, "AWS::Lambda::EventInvokeConfig"))
                .filteredOn(invoke -> String.valueOf(invoke.get("Qualifier")).contains("linkmqttlive"))
                .singleElement()
                .satisfies(invoke -> assertThat(invoke)
                        .containsEntry("MaximumEventAgeInSeconds", 60)
                        .containsEntry("MaximumRetryAttempts", 0));
        assertThat(of(WITH_IOT, "AWS::Lambda::Function"))
                .filteredOn(each -> each.toString().contains("GANTRY_AWS_IOT_CORE_ENABLED"))
                .extracting(each -> each.get("Handler"))
                .containsExactly("farm.gantry.api.main.function.IotLinkFunction");
        assertThat(allowed(WITH_IOT, Set.of("AWS::IAM::Policy"))
                        .filter(statement -> statement.toString().contains("iot:")))
                .singleElement()
                .satisfies(statement -> {
                    assertThat(list(statement.get("Action"))).isEqualTo(List.of("iot:Publish"));
                    assertThat(String.valueOf(statement.get("Resource"))).contains(":topic/gantry/link/*/down");
                });
    }

    @Test
    void authorizerMayOnlyLogReadSecretsAndUseTheKey() {
        assertThat(STAGES.resources(WITH_IOT).entrySet())
                .filteredOn(each -> each.getKey().startsWith("Functionslinkauthorizerrole")
                        && "AWS::IAM::Policy".equals(each.getValue().get("Type")))
                .singleElement()
                .satisfies(policy -> assertThat(
                                list(map(properties(policy.getValue()).get("PolicyDocument"))
                                                .get("Statement"))
                                        .stream()
                                        .flatMap(
                                                statement -> list(map(statement).get("Action")).stream())
                                        .map(String::valueOf)
                                        .filter(action -> !FOR_ALL.containsKey(action)))
                        .containsOnly(
                                "logs:CreateLogStream",
                                "logs:PutLogEvents",
                                "secretsmanager:GetSecretValue",
                                "kms:Encrypt",
                                "kms:Decrypt"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod"})
    void databaseVersionIsOneThatTheMigrationAccepts(String stage) {
        String[] version = settings(stage).databaseVersion().split("\\.", -1);
        assertThat(PostgresVersion.findFault(Integer.parseInt(version[0]) * 10_000 + Integer.parseInt(version[1])))
                .isEmpty();
    }

    @Test
    void iotWithoutANatGatewayIsRejected(@TempDir Path folder) throws IOException {
        Files.writeString(
                folder.resolve("dev.properties"),
                Files.readString(Path.of("stages/dev.properties")).replace("\niot=false", "\niot=true"));
        assertThatThrownBy(() -> StageSettings.read(folder, "dev"))
                .hasMessageContaining("iot=true needs nat.gateways=1");
    }
}
