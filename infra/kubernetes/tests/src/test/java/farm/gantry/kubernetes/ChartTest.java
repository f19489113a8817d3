package farm.gantry.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** Lints and renders the chart, and checks every object against the types of the Kubernetes API. */
class ChartTest {
    private static final Path CHART = Path.of("..");

    /** Throws if an object has an unknown field, lacks a required one, or has one of another type. */
    @FunctionalInterface
    private interface Check {
        void accept(JsonElement object) throws IOException;
    }

    private static final Map<String, Check> CHECKS = Map.of(
            "apps/v1 Deployment", V1Deployment::validateJsonElement,
            "v1 Service", V1Service::validateJsonElement,
            "v1 ServiceAccount", V1ServiceAccount::validateJsonElement,
            "batch/v1 Job", V1Job::validateJsonElement,
            "autoscaling/v2 HorizontalPodAutoscaler", V2HorizontalPodAutoscaler::validateJsonElement,
            "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget::validateJsonElement,
            "networking.k8s.io/v1 Ingress", V1Ingress::validateJsonElement,
            "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy::validateJsonElement);

    private static TemplateCommand template() {
        return new Helm(CHART)
                .template()
                .withName("farm")
                .withNamespace("prints")
                .withKubeVersion("1.31.0");
    }

    private static List<JsonObject> objects(TemplateCommand template) {
        Gson gson = new Gson();
        return StreamSupport.stream(new Yaml().loadAll(template.call()).spliterator(), false)
                .filter(Objects::nonNull)
                .map(object -> gson.toJsonTree(object).getAsJsonObject())
                .toList();
    }

    private static String kind(JsonObject object) {
        return object.get("apiVersion").getAsString() + " " + object.get("kind").getAsString();
    }

    /** The library leaves hooks out of what it renders, so the migration is rendered as an ordinary job. */
    private static TemplateCommand withMigration() {
        return template().set("migration.hook", "false");
    }

    private static JsonObject object(String kind, String name) {
        return objects(withMigration()).stream()
                .filter(object -> kind(object).endsWith(" " + kind)
                        && object.getAsJsonObject("metadata")
                                .get("name")
                                .getAsString()
                                .equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static JsonObject container(JsonObject workload) {
        return pod(workload).getAsJsonArray("containers").get(0).getAsJsonObject();
    }

    private static JsonObject pod(JsonObject workload) {
        return workload.getAsJsonObject("spec").getAsJsonObject("template").getAsJsonObject("spec");
    }

    private static void assertValid(TemplateCommand template) {
        List<JsonObject> objects = objects(template);
        assertThat(objects).extracting(ChartTest::kind).isSubsetOf(CHECKS.keySet());
        for (JsonObject object : objects) {
            assertThatCode(() ->
                            Objects.requireNonNull(CHECKS.get(kind(object))).accept(object))
                    .as(object.toString())
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void chartHasNoLintFindings() {
        LintResult result = new Helm(CHART).lint().strict().call();
        assertThat(result.isFailed())
                .as(String.join("\n", result.getMessages()))
                .isFalse();
    }

    @Test
    void everyObjectIsValidForKubernetes() {
        assertThat(objects(withMigration()))
                .extracting(ChartTest::kind)
                .containsOnlyOnceElementsOf(List.of("batch/v1 Job", "v1 Service", "networking.k8s.io/v1 Ingress"));
        assertValid(withMigration());
        assertValid(withMigration()
                .set("s3.existingSecret", "s3")
                .set("s3.endpoint", "https://store.example")
                .set("imagePullSecrets[0].name", "registry")
                .set("ingress.className", "nginx")
                .set("settings.GANTRY_SHUTDOWN_TIMEOUT", "45s")
                .set("networkPolicy.clients[0].podSelector.matchLabels.app", "nginx"));
        assertValid(template().set("ingress.enabled", "false").set("networkPolicy.enabled", "false"));
    }

    @Test
    void validationFindsUnknownFields() {
        JsonObject deployment = object("Deployment", "farm-api");
        pod(deployment).addProperty("restartPolice", "Always");
        assertThatThrownBy(() -> V1Deployment.validateJsonElement(deployment)).hasMessageContaining("restartPolice");
    }

    @Test
    void everyProcessRunsAsNonRootOnAReadOnlyFileSystem() {
        for (JsonObject workload : List.of(
                object("Deployment", "farm-api"),
                object("Deployment", "farm-worker"),
                object("Job", "farm-migration"))) {
            assertThat(pod(workload)
                            .getAsJsonObject("securityContext")
                            .get("runAsNonRoot")
                            .getAsBoolean())
                    .isTrue();
            assertThat(pod(workload).get("enableServiceLinks").getAsBoolean())
                    .as("variables of a service named gantry would count as unknown settings")
                    .isFalse();
            JsonObject security = container(workload).getAsJsonObject("securityContext");
            assertThat(security.get("readOnlyRootFilesystem").getAsBoolean()).isTrue();
            assertThat(security.getAsJsonObject("capabilities")
                            .getAsJsonArray("drop")
                            .get(0)
                            .getAsString())
                    .isEqualTo("ALL");
        }
    }

    @Test
    void secretsAreOnlyReferences() {
        for (JsonElement variable : container(object("Deployment", "farm-api")).getAsJsonArray("env")) {
            String name = variable.getAsJsonObject().get("name").getAsString();
            assertThat(variable.getAsJsonObject().has("valueFrom"))
                    .as(name)
                    .isEqualTo(name.matches(".*(PEPPER|PASSWORD|SECRET_KEY)"));
        }
    }

    @Test
    void migrationRunsBeforeTheProcessesOfItsVersion() throws IOException {
        assertThat(objects(template()))
                .extracting(ChartTest::kind)
                .as("it is a hook")
                .isNotEmpty()
                .doesNotContain("batch/v1 Job");
        assertThat(Files.readString(CHART.resolve("templates/migration.yaml")))
                .contains("helm.sh/hook: pre-install,pre-upgrade");
        JsonObject migration = object("Job", "farm-migration");
        assertThat(container(migration).get("image"))
                .isEqualTo(container(object("Deployment", "farm-api")).get("image"));
    }

    @Test
    void incompleteValuesAreRejected() {
        assertThatThrownBy(() -> template().set("database.url", "db.example").call())
                .hasMessageContaining("database");
        assertThatThrownBy(() -> template().set("publicUrl", "farm.example").call())
                .hasMessageContaining("publicUrl");
    }

    @Test
    void composeServicesOfGantryRunWithoutCapabilitiesOnAReadOnlyFileSystem() throws IOException {
        for (String file : List.of("compose.yaml", "compose.several.yaml")) {
            Map<String, Map<String, Map<String, Object>>> compose = new Yaml()
                    .load(Files.readString(CHART.resolve("../containers").resolve(file)));
            assertThat(Objects.requireNonNull(compose.get("services")).entrySet())
                    .filteredOn(service ->
                            String.valueOf(service.getValue().get("image")).contains("/gantry"))
                    .filteredOn(service -> !service.getKey().equals("files")) // gives the folder to the others' user
                    .isNotEmpty()
                    .allSatisfy(service -> assertThat(service.getValue())
                            .containsEntry("read_only", true)
                            .containsEntry("cap_drop", List.of("ALL")));
        }
    }

    @Test
    void chartAndComposeFilesNameTheVersionOfTheBuild() throws IOException {
        Path root = Path.of("../../..");
        String pom = Files.readString(root.resolve("pom.xml"));
        String version = pom.substring(pom.indexOf("<revision>") + 10, pom.indexOf("</revision>"));
        assertThat(Files.readString(CHART.resolve("Chart.yaml")))
                .contains("\nversion: " + version + "\n", "\nappVersion: " + version + "\n");
        for (String file : List.of("compose.yaml", "compose.several.yaml")) {
            assertThat(Files.readString(root.resolve("infra/containers").resolve(file)))
                    .contains("GANTRY_VERSION:-" + version + "}")
                    .doesNotContainPattern("GANTRY_VERSION:-(?!" + version.replace(".", "\\.") + "})");
        }
    }
}
