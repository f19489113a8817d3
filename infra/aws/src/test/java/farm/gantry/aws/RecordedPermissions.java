package farm.gantry.aws;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import software.amazon.awssdk.core.SdkRequest;

/**
 * Records which permissions of IAM the functions use in a test: the function, the action and the resource of each
 * request. The permissions for the key that encrypts the bucket are added, because emulators need none. The file
 * {@code permissions.txt} has all; {@code infra/test PrintOnAwsTest -Dpermissions=write} writes it.
 */
final class RecordedPermissions {
    private static final Path FILE = Path.of("src/test/resources/permissions.txt");
    private static final String KEY = "key";

    /** The names of the stack's functions by those of the tests. */
    private static final Map<String, String> FUNCTIONS = Map.of(
            "Lambda webhooks", "delivery",
            "Lambda stage-reports.fifo", "report",
            "Lambda slice-answers", "report",
            "Lambda iot-link", "link-mqtt",
            "Lambda iot-authorizer", "link-authorizer");

    private static final Set<Use> USES = new ConcurrentSkipListSet<>();

    /** An action of a function on a resource, as {@link StackPolicies} names resources. */
    record Use(String function, String action, String resource) implements Comparable<Use> {
        @Override
        public int compareTo(Use other) {
            return toString().compareTo(other.toString());
        }

        @Override
        public String toString() {
            return function + " " + action + " " + resource;
        }
    }

    private RecordedPermissions() {}

    static void record(String caller, String service, String operation, SdkRequest request) {
        String function = FUNCTIONS.getOrDefault(caller, caller.replace("Lambda ", ""));
        String resource = switch (service) {
            case "S3" ->
                operation.startsWith("List")
                        ? "bucket"
                        : "bucket/" + folder(text(request, "Key") + text(request, "DestinationKey"));
            case "Sqs" -> "queue:" + text(request, "QueueUrl").replaceAll(".*/", "");
            case "DynamoDb" -> "table:" + table(request).replaceAll(".*-(rate-limits|marks)$", "$1");
            case "IotDataPlane" -> "topic:" + text(request, "topic").replaceAll("[^/]+/down$", "AGENT/down");
            case "Kms" -> KEY;
            default -> "?";
        };
        for (String action : actions(service, operation)) {
            USES.add(new Use(function, action, action.startsWith("kms:") ? KEY : resource));
        }
    }

    private static List<String> actions(String service, String operation) {
        return switch (service + " " + operation) {
            case "S3 GetObject", "S3 HeadObject" -> List.of("s3:GetObject", "kms:Decrypt");
            case "S3 PutObject" -> List.of("s3:PutObject", "kms:GenerateDataKey");
            case "S3 CreateMultipartUpload", "S3 UploadPart", "S3 CompleteMultipartUpload" ->
                List.of("s3:PutObject", "kms:GenerateDataKey", "kms:Decrypt");
            case "S3 CopyObject" -> List.of("s3:GetObject", "s3:PutObject", "kms:GenerateDataKey", "kms:Decrypt");
            case "S3 ListObjectsV2" -> List.of("s3:ListBucket");
            case "S3 DeleteObjects" -> List.of("s3:DeleteObject");
            case "Sqs SendMessageBatch" -> List.of("sqs:SendMessage");
            case "IotDataPlane Publish" -> List.of("iot:Publish");
            default -> List.of(service.toLowerCase(Locale.ROOT) + ":" + operation);
        };
    }

    /** Returns the table that the request names, by itself or as that of its items. */
    private static String table(SdkRequest request) {
        return request.getValueForField("RequestItems", Map.class)
                .map(items -> String.valueOf(items.keySet().iterator().next()))
                .orElseGet(() -> text(request, "TableName"));
    }

    private static String text(SdkRequest request, String field) {
        return request.getValueForField(field, String.class).orElse("");
    }

    /** Returns the key of an object without its ids. */
    private static String folder(String key) {
        return key.startsWith(LambdaFunctions.DOCTOR_FILES)
                ? LambdaFunctions.DOCTOR_FILES + "FILE"
                : key.startsWith("uploads/") ? "uploads/FILE" : "FILE";
    }

    /** Writes the file if that is wanted. */
    static void writeFile() throws IOException {
        if ("write".equals(System.getProperty("permissions"))) {
            Files.write(FILE, USES.stream().map(Use::toString).toList());
        }
    }

    /** Returns what was recorded in this process. */
    static Set<Use> all() {
        return USES;
    }

    /** Returns the permissions of the file. */
    static Set<Use> read() throws IOException {
        Set<Use> uses = new TreeSet<>();
        for (String line : Files.readAllLines(FILE)) {
            String[] parts = line.split(" ", 3);
            uses.add(new Use(parts[0], parts[1], parts[2]));
        }
        return uses;
    }
}
