package farm.gantry.api.main.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import farm.gantry.api.database.schema.Schema;
import io.micronaut.function.aws.proxy.MockLambdaContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the response to CloudFormation after the schema migration of a deployment. */
final class MigrationFunctionTest {
    private final List<String> answers = new CopyOnWriteArrayList<>();
    private final AtomicInteger migrated = new AtomicInteger();
    private final HttpServer cloudFormation = newServer();

    private static HttpServer newServer() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void start() {
        cloudFormation.createContext("/", exchange -> {
            answers.add(exchange.getRequestMethod() + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        cloudFormation.start();
    }

    @AfterEach
    void stop() {
        cloudFormation.stop(0);
    }

    private String handle(String type, Runnable migration) {
        return handle(type, "1", "1", migration);
    }

    /** {@code before} and {@code code} are versions of the function, which each deployment raises. */
    private String handle(String type, String before, String code, Runnable migration) {
        return new MigrationFunction(migration)
                .handleRequest(
                        Map.of(
                                "RequestType",
                                type,
                                "ResourceProperties",
                                Map.of("code", code),
                                "OldResourceProperties",
                                Map.of("code", before),
                                "ResponseURL",
                                "http://127.0.0.1:"
                                        + cloudFormation.getAddress().getPort() + "/answer",
                                "StackId",
                                "stack",
                                "RequestId",
                                "request",
                                "LogicalResourceId",
                                "Migrated"),
                        new MockLambdaContext());
    }

    @Test
    void completedMigrationSucceeds() {
        assertThat(handle("Update", migrated::incrementAndGet)).isEqualTo("migrated");
        assertThat(migrated).hasValue(1);
        assertThat(answers).singleElement().asString().startsWith("PUT ").contains("\"Status\":\"SUCCESS\"");
    }

    @Test
    void failedMigrationStopsTheDeploymentWithoutLeakingSecrets() {
        assertThat(handle("Create", () -> {
                    throw new IllegalStateException("password hunter2 is wrong");
                }))
                .isEqualTo("failed");
        assertThat(answers)
                .singleElement()
                .asString()
                .contains("\"Status\":\"FAILED\"")
                .doesNotContain("hunter2");
    }

    @Test
    void rollbackLeavesTheNewerSchemaAndOlderDeploymentIsRejected() {
        Runnable refused = () -> {
            throw new Schema.NewerSchemaException("the tables are newer");
        };
        assertThat(handle("Update", "13", "12", refused)).isEqualTo("migrated");
        assertThat(handle("Update", "13", "14", refused)).isEqualTo("failed");
        assertThat(answers).extracting(answer -> answer.contains("SUCCESS")).containsExactly(true, false);
    }

    @Test
    void deletedStackLeavesTheTables() {
        handle("Delete", migrated::incrementAndGet);
        assertThat(migrated).hasValue(0);
        assertThat(answers).singleElement().asString().contains("SUCCESS");
    }
}
