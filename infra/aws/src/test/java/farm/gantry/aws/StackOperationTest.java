package farm.gantry.aws;

import static farm.gantry.aws.SynthesizedStages.UNDER_DOMAIN;
import static farm.gantry.aws.SynthesizedStages.WITH_IOT;
import static farm.gantry.aws.SynthesizedStages.list;
import static farm.gantry.aws.SynthesizedStages.map;
import static farm.gantry.aws.SynthesizedStages.properties;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the function for commands, the alarms, the dashboard and the budget of a stage. */
final class StackOperationTest {
    private static final SynthesizedStages STAGES = SynthesizedStages.all();
    private static final String ALARM = "AWS::CloudWatch::Alarm";

    @BeforeEach
    void needNode() {
        STAGES.assumeSynthesized();
    }

    private static String idOf(String stage, String handler) {
        return STAGES.resources(stage).entrySet().stream()
                .filter(each -> ("farm.gantry.api.main.function." + handler)
                        .equals(properties(each.getValue()).get("Handler")))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, Object> alarm(String stage, String metric, String dimension) {
        List<Map<String, Object>> found = STAGES.of(stage, ALARM).stream()
                .filter(alarm -> metric.equals(alarm.get("MetricName"))
                        && alarm.toString().contains(dimension))
                .toList();
        assertThat(found).as(metric).hasSize(1);
        return found.getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void adminFunctionIsInvokedOnlyByIam(String stage) {
        String admin = idOf(stage, "AdminFunction");
        STAGES.resources(stage).forEach((id, resource) -> {
            if (!List.of("AWS::Lambda::EventInvokeConfig", ALARM, "AWS::CloudWatch::Dashboard")
                    .contains(String.valueOf(resource.get("Type")))) {
                assertThat(properties(resource).toString()).as(id).doesNotContain(admin);
            }
        });
        assertThat(STAGES.of(stage, "AWS::Lambda::EventInvokeConfig"))
                .filteredOn(config -> config.toString().contains(admin))
                .singleElement()
                .satisfies(config -> assertThat(config).containsEntry("MaximumRetryAttempts", 0));
        assertThat(map(STAGES.outputs(stage).get("AdminFunction"))).containsEntry("Value", Map.of("Ref", admin));
    }

    /** The compiler does not check this: the stack has only names. */
    @Test
    void adminFunctionMayReadNoFileOfAStore() throws IOException {
        String store = LambdaFunctions.DOCTOR_FILES.split("/", -1)[1];
        assertThat(Files.readString(Path.of(
                        "../../api-functions/src/main/java/farm/gantry/api/main/admin/ServerDoctorCommand.java")))
                .contains("PROBE = \"" + store + "\"");
        assertThat(adminStatements())
                .filteredOn(statement -> "s3:GetObject".equals(statement.get("Action")))
                .singleElement()
                .satisfies(statement -> assertThat(String.valueOf(statement.get("Resource")))
                        .contains("/" + LambdaFunctions.DOCTOR_FILES + "*"));
    }

    @Test
    void adminFunctionMayUseOnlyWhatItsCommandsNeed() {
        Set<String> actions = new TreeSet<>();
        adminStatements()
                .forEach(statement ->
                        list(statement.get("Action")).forEach(action -> actions.add(String.valueOf(action))));
        actions.removeIf(action -> action.startsWith("ec2:") || action.startsWith("logs:"));
        assertThat(actions)
                .containsExactly(
                        "kms:Decrypt",
                        "kms:Encrypt",
                        "s3:GetObject",
                        "s3:ListBucket",
                        "secretsmanager:GetSecretValue",
                        "sqs:DeleteMessage",
                        "sqs:GetQueueAttributes",
                        "sqs:ReceiveMessage",
                        "sqs:SendMessage",
                        "sqs:StartMessageMoveTask");
    }

    private static List<Map<String, Object>> adminStatements() {
        List<Map<String, Object>> statements = new ArrayList<>();
        STAGES.resources("prod").forEach((id, resource) -> {
            if (id.startsWith("Functionsadminrole") && "AWS::IAM::Policy".equals(resource.get("Type"))) {
                list(map(properties(resource).get("PolicyDocument")).get("Statement"))
                        .forEach(statement -> statements.add(map(statement)));
            }
        });
        return statements;
    }

    @ParameterizedTest
    @CsvSource({"dev, 151.2, 20e9", "prod, 604.8, 100e9"})
    void databaseAlarmsWatchCapacityConnectionsAndSize(String stage, double connections, double bytes) {
        assertThat(alarm(stage, "ACUUtilization", "WRITER")).containsEntry("Threshold", 90);
        assertThat(number(alarm(stage, "DatabaseConnections", "WRITER"), "Threshold"))
                .isCloseTo(connections, within(0.1));
        assertThat(number(alarm(stage, "VolumeBytesUsed", "DBClusterIdentifier"), "Threshold"))
                .isEqualTo(bytes);
    }

    private static double number(Map<String, Object> alarm, String name) {
        return ((Number) alarm.getOrDefault(name, Double.NaN)).doubleValue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void threeMinutesWithoutASweepRaiseAnAlarm(String stage) {
        assertThat(alarm(stage, "Invocations", idOf(stage, "SweepFunction")))
                .containsEntry("Threshold", 1)
                .containsEntry("ComparisonOperator", "LessThanThreshold")
                .containsEntry("Period", 60)
                .containsEntry("EvaluationPeriods", 3)
                .containsEntry("TreatMissingData", "breaching");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void droppedAndUndeliveredEventsRaiseAlarms(String stage) {
        assertThat(alarm(stage, "AsyncEventsDropped", idOf(stage, "CleanupFunction")))
                .containsEntry("Threshold", 1);
        assertThat(alarm(stage, "AsyncEventsDropped", idOf(stage, "SweepFunction")))
                .containsEntry("Threshold", 3);
        assertThat(STAGES.of(stage, ALARM))
                .filteredOn(alarm -> "FailedInvocations".equals(alarm.get("MetricName")))
                .hasSize(2);
        if (STAGES.settings(stage).hasIot()) {
            alarm(stage, "AsyncEventsDropped", idOf(stage, "IotLinkFunction"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void dashboardShowsTheMetricOfEveryAlarm(String stage) {
        String dashboard = STAGES.of(stage, "AWS::CloudWatch::Dashboard").toString();
        assertThat(STAGES.of(stage, ALARM)).isNotEmpty().allSatisfy(alarm -> {
            assertThat(metricsOf(alarm))
                    .isNotEmpty()
                    .allSatisfy(metric -> assertThat(dashboard)
                            .contains("\"" + metric.get("Namespace") + "\",\"" + metric.get("MetricName") + "\""));
        });
        assertThat(dashboard).contains("Capacity of the database (%)", "Dead letters", "Age of the oldest message");
    }

    /** Returns the metrics that the alarm watches, itself or by an expression. */
    private static List<Map<String, Object>> metricsOf(Map<String, Object> alarm) {
        return alarm.containsKey("MetricName")
                ? List.of(alarm)
                : list(alarm.get("Metrics")).stream()
                        .map(each -> map(map(map(each).get("MetricStat")).get("Metric")))
                        .filter(metric -> !metric.isEmpty())
                        .toList();
    }

    /** The compiler does not check this: the stack has only the names of the metrics. */
    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void silentAgentsRaiseAnAlarm(String stage) throws IOException {
        Map<String, Object> alarm = STAGES.of(stage, ALARM).stream()
                .filter(each -> each.toString().contains("AgentsOnline"))
                .findFirst()
                .orElseThrow();
        assertThat(alarm)
                .containsEntry("EvaluationPeriods", 5)
                .containsEntry("Threshold", 1)
                .containsEntry("ComparisonOperator", "GreaterThanOrEqualToThreshold")
                .containsEntry("TreatMissingData", "notBreaching");
        assertThat(list(alarm.get("Metrics")).toString()).contains("IF(expected > 0 AND online < 1, 1, 0)");
        String published = Files.readString(
                Path.of("../../api-functions/src/main/java/farm/gantry/api/main/function/AgentPresenceMetrics.java"));
        assertThat(metricsOf(alarm)).hasSize(2).allSatisfy(metric -> {
            assertThat(published)
                    .contains("\"Namespace\":\"" + metric.get("Namespace") + "\"")
                    .contains("{\"Name\":\"" + metric.get("MetricName") + "\"");
            assertThat(list(metric.get("Dimensions")))
                    .singleElement()
                    .satisfies(dimension -> assertThat(map(dimension))
                            .containsEntry("Name", "FunctionName")
                            .containsEntry("Value", Map.of("Ref", idOf(stage, "SweepFunction"))));
        });
    }

    @Test
    void budgetIsOptional() {
        assertThat(STAGES.of("prod", "AWS::Budgets::Budget")).hasSize(1);
        assertThat(STAGES.of(UNDER_DOMAIN, "AWS::Budgets::Budget")).isEmpty();
    }

    @Test
    void readersAndNatGatewaysAreSettings() {
        assertThat(STAGES.of("prod", "AWS::RDS::DBInstance")).hasSize(1);
        assertThat(STAGES.of("prod", "AWS::EC2::NatGateway")).hasSize(1);
        assertThat(STAGES.of("dev", "AWS::EC2::NatGateway")).isEmpty();
        assertThat(STAGES.of(UNDER_DOMAIN, "AWS::RDS::DBInstance"))
                .hasSize(2)
                .allSatisfy(instance -> assertThat(instance).containsEntry("PubliclyAccessible", false))
                .extracting(instance -> instance.get("PromotionTier"))
                .containsExactlyInAnyOrder(0, 1);
        assertThat(STAGES.of(UNDER_DOMAIN, "AWS::EC2::NatGateway")).hasSize(2);
        assertThat(StageCosts.table(STAGES.settings(UNDER_DOMAIN), 1000)).contains("readers of the database");
        assertThat(replicaUrls("prod")).isEmpty();
        assertThat(replicaUrls(UNDER_DOMAIN)).singleElement().asString().contains("ReadEndpoint.Address");
    }

    /** Returns the address of the replica of each function that has one. */
    private static List<Object> replicaUrls(String stage) {
        return STAGES.of(stage, "AWS::Lambda::Function").stream()
                .map(function -> function.get("Environment"))
                .filter(Objects::nonNull)
                .map(environment -> map(map(environment).get("Variables")).get("GANTRY_DATABASE_REPLICA_URL"))
                .filter(Objects::nonNull)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nat.gateways=3", "nat.gateways=-1", "database.readers=16", "budget.dollars=none"})
    void impossibleNumberIsRejected(String line, @TempDir Path folder) throws IOException {
        String key = line.substring(0, line.indexOf('='));
        Files.writeString(
                folder.resolve("dev.properties"),
                Files.readString(Path.of("stages/dev.properties"))
                        .replaceAll("(?m)^" + key.replace(".", "\\.") + "=.*$", line));
        assertThatThrownBy(() -> StageSettings.read(folder, "dev"))
                .hasMessageContaining(key + " is ")
                .hasMessageContaining(" and must be a number from 0 to ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void flowsOfTheNetworkAreLogged(String stage) {
        assertThat(STAGES.of(stage, "AWS::EC2::FlowLog"))
                .singleElement()
                .satisfies(flows -> assertThat(flows)
                        .containsEntry("TrafficType", "ALL")
                        .containsEntry("LogDestinationType", "cloud-watch-logs"));
    }

    @Test
    void originSecretIsSentByCloudFrontAndRequiredByTheApiOnly() {
        Map<String, Object> distribution = map(STAGES.of(UNDER_DOMAIN, "AWS::CloudFront::Distribution")
                .getFirst()
                .get("DistributionConfig"));
        assertThat(list(distribution.get("Origins")))
                .singleElement()
                .satisfies(origin -> assertThat(list(map(origin).get("OriginCustomHeaders")))
                        .singleElement()
                        .satisfies(header -> assertThat(map(header))
                                .containsEntry("HeaderName", "gantry-origin-secret")
                                .extracting("HeaderValue")
                                .asString()
                                .contains("{{resolve:secretsmanager:", "DataOriginSecret")));
        assertThat(STAGES.of(UNDER_DOMAIN, "AWS::Lambda::Function"))
                .filteredOn(function -> function.toString().contains("gantry.aws.origin-secret="))
                .extracting(function -> function.get("Handler"))
                .containsExactly("farm.gantry.api.main.function.HttpApiFunction");
        assertThat(map(STAGES.outputs(UNDER_DOMAIN).get("Url"))).containsEntry("Value", "https://farm.example");
        assertThat(STAGES.resources("prod").toString()).doesNotContain("origin-secret", "OriginSecret");
    }

    @Test
    void firewallHasTheCommonRulesAndALimitForEachAddress() {
        assertThat(STAGES.firewall("prod")).isEmpty();
        assertThat(map(STAGES.of("prod", "AWS::CloudFront::Distribution")
                        .getFirst()
                        .get("DistributionConfig")))
                .doesNotContainKey("WebACLId");
        assertThat(map(STAGES.of(UNDER_DOMAIN, "AWS::CloudFront::Distribution")
                        .getFirst()
                        .get("DistributionConfig")))
                .extracting("WebACLId")
                .asString()
                .contains("Ref=Firewall}");
        assertThat(STAGES.firewall(UNDER_DOMAIN).values()).singleElement().satisfies(resource -> {
            assertThat(resource).containsEntry("Type", "AWS::WAFv2::WebACL");
            Map<String, Object> acl = properties(resource);
            assertThat(acl).containsEntry("Scope", "CLOUDFRONT");
            List<Map<String, Object>> rules =
                    list(acl.get("Rules")).stream().map(SynthesizedStages::map).toList();
            assertThat(rules).hasSize(2);
            assertThat(map(map(rules.getFirst().get("Statement")).get("RateBasedStatement")))
                    .containsEntry("Limit", 2000)
                    .containsEntry("AggregateKeyType", "IP");
            assertThat(rules.getFirst().get("Action")).isEqualTo(Map.of("Block", Map.of()));
            assertThat(map(map(rules.getLast().get("Statement")).get("ManagedRuleGroupStatement")))
                    .containsEntry("Name", "AWSManagedRulesCommonRuleSet");
            assertThat(rules.getLast().get("OverrideAction")).isEqualTo(Map.of("None", Map.of()));
        });
        assertThat(StageCosts.table(STAGES.settings(UNDER_DOMAIN), 1000)).contains("people: firewall");
        assertThat(StageCosts.table(STAGES.settings("prod"), 1000)).doesNotContain("firewall");
    }

    @ParameterizedTest
    @ValueSource(strings = {"origin-secret=true", "firewall.max-requests=2000"})
    void originSecretAndFirewallNeedADistribution(String line, @TempDir Path folder) throws IOException {
        Files.writeString(
                folder.resolve("dev.properties"),
                Files.readString(Path.of("stages/dev.properties"))
                        .replaceAll("(?m)^" + line.replaceAll("=.*", "").replace(".", "\\.") + "=.*$", line));
        assertThatThrownBy(() -> StageSettings.read(folder, "dev")).hasMessageContaining("need distribution=true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"prod", UNDER_DOMAIN})
    void distributionReachesTheApiByTls12(String stage) {
        Map<String, Object> distribution =
                map(STAGES.of(stage, "AWS::CloudFront::Distribution").getFirst().get("DistributionConfig"));
        assertThat(list(distribution.get("Origins")))
                .singleElement()
                .satisfies(origin -> assertThat(map(map(origin).get("CustomOriginConfig")))
                        .containsEntry("OriginSSLProtocols", List.of("TLSv1.2")));
    }
}
