package farm.gantry.aws;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.aws.RecordedPermissions.Use;
import farm.gantry.aws.StackPolicies.Grant;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compares the permissions that the functions use in tests with those of the synthesized policies. */
final class PermissionsTest {
    private static final String STAGE = SynthesizedStages.WITH_IOT;

    /** A permission that no recorded request uses, and why it is granted. All are regular expressions but the reason. */
    private record Unused(String function, String action, String resource, String reason) {
        boolean includes(String ofFunction, Grant grant) {
            return ofFunction.matches(function)
                    && grant.action().matches(action)
                    && grant.resource().matches(resource);
        }
    }

    private static final String WITH_FILES = "api|cleanup|link|link-mqtt|report|schedule";
    private static final String OF_API = WITH_FILES + "|delivery|sweep";

    private static final List<Unused> UNUSED = List.of(
            new Unused(".*", "ec2:.*", "\\*", "Lambda connects a function to the network with the function's role"),
            new Unused(".*", "logs:.*", "log", "Lambda writes the log with the function's role"),
            new Unused(
                    ".*",
                    "secretsmanager:GetSecretValue",
                    "secret",
                    "a function reads its secrets at its start; tests give them as settings"),
            new Unused(".*", "kms:Decrypt", "key", "the key encrypts the secrets, which tests give as settings"),
            new Unused(
                    OF_API + "|link-authorizer",
                    "kms:Encrypt",
                    "key",
                    "the first function that starts wraps the first data key"),
            new Unused(
                    "delivery|ingest|report|schedule",
                    "sqs:(ReceiveMessage|DeleteMessage|ChangeMessageVisibility|GetQueueAttributes|GetQueueUrl)",
                    "queue:.*",
                    "Lambda polls the queue with the function's role"),
            new Unused(
                    "admin",
                    "sqs:(ReceiveMessage|DeleteMessage|StartMessageMoveTask)",
                    "queue:.*-dead(.fifo)?",
                    "for the command queues redrive, which QueueCommandsTest runs"),
            new Unused(
                    "admin",
                    "sqs:(SendMessage|GetQueueAttributes)",
                    "queue:.*",
                    "for the command queues redrive, which sends messages to the queue"),
            new Unused(
                    "admin|delivery|ingest|" + WITH_FILES,
                    "s3:ListBucket",
                    "bucket",
                    "without it S3 answers 403 instead of 404 for a missing file"),
            new Unused(
                    WITH_FILES,
                    "s3:(GetObject|PutObject|DeleteObject)|kms:GenerateDataKey",
                    "bucket/\\*|key",
                    "every function with the API's code may do the work that follows a change"),
            new Unused(
                    "api|link|link-mqtt",
                    "dynamodb:(GetItem|BatchGetItem|Query|PutItem)",
                    "table:marks",
                    "for agents that another function served before"),
            new Unused(
                    "sweep",
                    "dynamodb:(Query|DeleteItem)",
                    "table:marks",
                    "only when an agent is silent, which AwsInstallTest and DynamoDbMarksTest test"),
            new Unused("delivery", "sqs:SendMessage", "queue:webhooks", "for attempts that are due later"),
            new Unused("delivery", "s3:GetObject", "bucket/files/\\*", "for thumbnails in messages"),
            new Unused(OF_API, "dynamodb:UpdateItem", "table:marks", "every function records that a store is in use"),
            new Unused(
                    WITH_FILES,
                    "s3:AbortMultipartUpload",
                    "bucket/\\*",
                    "only after the failed upload of a large file"),
            new Unused(
                    WITH_FILES + "|sweep",
                    "sqs:SendMessage",
                    "queue:.*",
                    "every function relays messages of the outbox, also those of a function that died"));

    @BeforeEach
    void needNode() {
        SynthesizedStages.all().assumeSynthesized();
    }

    @Test
    void everyUsedPermissionIsAllowed() throws IOException {
        Set<Use> uses = RecordedPermissions.read();
        assertThat(uses).hasSizeGreaterThan(20);
        assertAllowed(uses);
    }

    /** Checks that the policies allow each; without Node there are none. */
    static void assertAllowed(Set<Use> uses) {
        if (!SynthesizedStages.all().isSynthesized()) {
            return;
        }
        Map<String, Set<Grant>> grants = new StackPolicies(STAGE).byFunction();
        assertThat(uses)
                .allSatisfy(use -> assertThat(Objects.requireNonNull(grants.get(use.function()), use.function()))
                        .as(use.toString())
                        .anyMatch(grant -> grant.allows(use.action(), use.resource())));
    }

    /** The evaluator itself must reject what a policy does not name. */
    @Test
    void otherActionsAndResourcesAreNotAllowed() {
        Grant grant = new Grant("s3:GetObject", "bucket/uploads/*");
        assertThat(grant.allows("s3:GetObject", "bucket/uploads/FILE")).isTrue();
        assertThat(grant.allows("s3:GetObject", "bucket/FILE")).isFalse();
        assertThat(grant.allows("s3:GetObjectAcl", "bucket/uploads/FILE")).isFalse();
        assertThat(grant.allows("s3:PutObject", "bucket/uploads/FILE")).isFalse();
        Map<String, Set<Grant>> grants = new StackPolicies(STAGE).byFunction();
        assertThat(Objects.requireNonNull(grants.get("ingest")))
                .isNotEmpty()
                .noneMatch(each -> each.allows("secretsmanager:GetSecretValue", "secret"))
                .noneMatch(each -> each.allows("s3:DeleteObject", "bucket/FILE"))
                .noneMatch(each -> each.allows("sqs:SendMessage", "queue:schedule"));
    }

    @Test
    void everyAllowedPermissionIsUsedOrHasAReason() throws IOException {
        Set<Use> uses = RecordedPermissions.read();
        Set<Unused> reasons = new HashSet<>();
        Set<String> unexplained = new TreeSet<>();
        new StackPolicies(STAGE).byFunction().forEach((function, grants) -> {
            for (Grant grant : grants) {
                boolean isUsed = uses.stream()
                        .anyMatch(use -> use.function().equals(function) && grant.allows(use.action(), use.resource()));
                List<Unused> found = UNUSED.stream()
                        .filter(unused -> unused.includes(function, grant))
                        .toList();
                if (!isUsed) {
                    reasons.addAll(found);
                    if (found.isEmpty()) {
                        unexplained.add(function + " " + grant);
                    }
                }
            }
        });
        assertThat(unexplained).as("permissions that nothing uses").isEmpty();
        assertThat(reasons).as("reasons that are needed").containsExactlyInAnyOrderElementsOf(UNUSED);
    }
}
