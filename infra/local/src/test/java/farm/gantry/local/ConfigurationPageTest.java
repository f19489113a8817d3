package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.ingest.tool.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The configuration page lists what the code reads. */
final class ConfigurationPageTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path PAGE = ROOT.resolve("infra/docs/reference/configuration.md");
    private static final Path RESOURCES = ROOT.resolve("api-functions/src/main/resources");
    private static final Path FUNCTION =
            ROOT.resolve("ingest-worker/src/main/java/farm/gantry/ingest/function/FunctionSettings.java");
    private static final Pattern VARIABLE = Pattern.compile("\"(GANTRY_[A-Z_]+)\"");

    @Test
    void pageListsTheSettingsAndOptionsOfTheCode() throws IOException {
        Map<String, String> bundles = new TreeMap<>();
        keys("application.yml").forEach((key, value) -> {
            if (key.startsWith("gantry.slicers.bundles.")) {
                bundles.put(key.substring(key.lastIndexOf('.') + 1), value);
            }
        });
        String expected = new ConfigurationPage(keys("application-lambda.yml"), bundles).text();
        if ("write".equals(System.getProperty("configuration"))) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, expected);
        }
        assertThat(PAGE)
                .as("run infra/test ConfigurationPageTest -Dconfiguration=write")
                .content()
                .isEqualTo(expected);
        Tools.KEYS.forEach(tool -> assertThat(expected).contains("| `" + tool + "` |"));
    }

    @Test
    void pageListsTheVariablesThatTheFunctionOfTheWorkerReads() throws IOException {
        assertThat(VARIABLE.matcher(Files.readString(FUNCTION)).results().map(found -> found.group(1)))
                .containsExactlyInAnyOrderElementsOf(ConfigurationPage.FUNCTION.keySet());
    }

    private static Map<String, String> keys(String resource) throws IOException {
        Map<?, ?> root = new Yaml().load(Files.readString(RESOURCES.resolve(resource)));
        Map<String, String> keys = new TreeMap<>();
        collect("gantry", Objects.requireNonNull(root.get("gantry")), keys);
        return keys;
    }

    private static void collect(String key, Object tree, Map<String, String> keys) {
        if (tree instanceof Map<?, ?> map) {
            map.forEach((name, value) -> collect(key + "." + name, value, keys));
        } else {
            keys.put(key, tree.toString());
        }
    }
}
