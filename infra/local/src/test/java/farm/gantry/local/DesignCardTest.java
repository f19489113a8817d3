package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The ten libraries of the design card, and the modules that depend on them directly; an empty list means not used yet.
 */
class DesignCardTest {
    private static final Map<String, List<String>> CARD = Map.of(
            "micronaut-http-server-netty", List.of("api-functions"),
            "micronaut-data-jdbc", List.of("api-functions"),
            "micronaut-function-aws-api-proxy", List.of("api-functions"),
            "micronaut-serde-jackson", List.of("api-functions", "edge-agent", "infra/local", "ingest-worker"),
            "picocli", List.of("api-functions", "edge-agent", "infra/local"),
            "micronaut-test-junit5", List.of("api-functions"),
            "s3", List.of("api-functions", "infra/local", "ingest-worker"),
            "dynamodb-enhanced", List.of("api-functions"),
            "localstack", List.of("api-functions"),
            "hivemq-mqtt-client", List.of("api-functions", "edge-agent"));

    @Test
    void designCardPackagesAreDirectDependenciesOfTheirModules() {
        CARD.forEach((artifact, modules) -> assertThat(
                        List.of("api-functions", "edge-agent", "infra/local", "ingest-worker"))
                .filteredOn(module -> pom(module).contains("<artifactId>" + artifact + "</artifactId>"))
                .as(artifact)
                .isEqualTo(modules));
    }

    private static String pom(String module) {
        try {
            return Files.readString(Path.of("../..", module, "pom.xml"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
