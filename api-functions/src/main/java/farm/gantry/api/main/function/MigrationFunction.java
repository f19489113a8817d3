package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import farm.gantry.Id;
import farm.gantry.api.aws.SecretSettings;
import farm.gantry.api.database.schema.Schema;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code gantry-admin database migrate} as a CloudFormation custom resource. The result is reported before any function
 * of the new version exists. Deletion keeps the tables.
 */
public final class MigrationFunction implements RequestHandler<Map<String, Object>, String> {
    private static final Logger LOG = LoggerFactory.getLogger(MigrationFunction.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Runnable migration;

    /** As Lambda makes it. */
    public MigrationFunction() {
        this(() -> migrate(System.getenv()));
    }

    MigrationFunction(Runnable migration) {
        this.migration = migration;
    }

    private static void migrate(Map<String, String> environment) {
        String owner = SecretSettings.read(required(environment, "GANTRY_OWNER_SECRET"));
        Schema.migrate(
                required(environment, "GANTRY_JDBC_URL"),
                readMember(owner, "username"),
                readMember(owner, "password"),
                SecretSettings.read(required(environment, "GANTRY_API_SECRET")));
    }

    private static String required(Map<String, String> environment, String name) {
        return Objects.requireNonNull(environment.get(name), name + " is not set in the environment");
    }

    /** Of a secret as the database service writes it. */
    private static String readMember(String json, String name) {
        try {
            JsonNode tree = Objects.requireNonNull(ObjectMapper.getDefault().readValue(json, JsonNode.class));
            return Objects.requireNonNull(tree.get(name), "the owner's secret has no " + name)
                    .getStringValue();
        } catch (IOException e) {
            // the content is secret and must not be part of the message
            throw new IllegalArgumentException("the owner's secret is not JSON");
        }
    }

    @Override
    public String handleRequest(Map<String, Object> event, Context context) {
        try {
            if (!"Delete".equals(event.get("RequestType"))) {
                migrateUnlessRolledBack(event);
            }
            sendResult(event, "SUCCESS", "");
            return "migrated";
        } catch (RuntimeException e) {
            LOG.error("the migration of the database failed; the deployment is rolled back", e);
            sendResult(event, "FAILED", "the migration failed; see the function's log");
            return "failed";
        }
    }

    /**
     * On a rollback CloudFormation asks the previous version to migrate again. It works with the newer tables, and a
     * failure would leave the stack stuck between the two versions.
     */
    private void migrateUnlessRolledBack(Map<String, Object> event) {
        try {
            migration.run();
        } catch (Schema.NewerSchemaException e) {
            if (functionVersion(event.get("ResourceProperties")) >= functionVersion(event.get("OldResourceProperties"))) {
                throw e;
            }
            LOG.warn("a rollback to an older version keeps the newer tables: {}", e.getMessage());
        }
    }

    /** The number of the function's version, which each deployment raises; 0 where there was none. */
    private static long functionVersion(@Nullable Object properties) {
        Object code = properties instanceof Map<?, ?> named ? named.get("code") : null;
        return code == null ? 0 : Long.parseLong(String.valueOf(code));
    }

    /** Sends the result to CloudFormation, which otherwise would wait for an hour. */
    private static void sendResult(Map<String, Object> event, String status, String reason) {
        Map<String, Object> answer = Map.of(
                "Status", status,
                "Reason", reason,
                "PhysicalResourceId",
                        Objects.requireNonNullElseGet(event.get("PhysicalResourceId"), () -> "migration-" + Id.next()),
                "StackId", Objects.requireNonNull(event.get("StackId")),
                "RequestId", Objects.requireNonNull(event.get("RequestId")),
                "LogicalResourceId", Objects.requireNonNull(event.get("LogicalResourceId")));
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            HttpRequest put = HttpRequest.newBuilder(URI.create(String.valueOf(event.get("ResponseURL"))))
                    .timeout(TIMEOUT)
                    .PUT(HttpRequest.BodyPublishers.ofString(
                            ObjectMapper.getDefault().writeValueAsString(answer)))
                    .build();
            int code = http.send(put, HttpResponse.BodyHandlers.discarding()).statusCode();
            if (code >= 300) {
                throw new IllegalStateException("CloudFormation takes no answer: " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
