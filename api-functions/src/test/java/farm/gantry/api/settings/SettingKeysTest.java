package farm.gantry.api.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

final class SettingKeysTest {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(gantry\\.[a-z.-]+)");
    private static final Pattern PROPERTIES = Pattern.compile(
            "@ConfigurationProperties\\(\"(gantry\\.[a-z.-]+)\"\\)[^{]*?record \\w+\\(([^{]*)\\)\\s*\\{");
    private static final Pattern BOUND =
            Pattern.compile("@Bindable\\(defaultValue = \"([^\"]*)\"\\)\\s+[\\w.<>]+\\s+(\\w+)");
    private static final Pattern INJECTED = Pattern.compile("\\$\\{(gantry\\.[a-z.-]+):([^}]*)}");
    private static final Pattern COMPONENT = Pattern.compile("(?<=\\w[> ]) ?(\\w+)(?=\\s*[,)]|\\s*$)");

    @Test
    void knownSettingsAndVariablesPass() {
        assertThatCode(() -> SettingKeys.check(
                        List.of("gantry.trusted-proxies", "gantry.worker.tools.cadquery", "micronaut.server.port"),
                        Map.of(
                                "GANTRY_SECRET_KEY",
                                "x",
                                "GANTRY_SLICERS_BUNDLES_SLICER1",
                                "/opt",
                                "GANTRY_LOG",
                                "json")))
                .doesNotThrowAnyException();
    }

    @Test
    void unknownSettingIsRejectedWithTheMostSimilarOne() {
        assertThatThrownBy(() -> SettingKeys.check(List.of("gantry.rate-limit.per-minut"), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no setting gantry.rate-limit.per-minut;"
                        + " the most similar one is gantry.rate-limit.per-minute");
        assertThatThrownBy(() -> SettingKeys.check(List.of("gantry.worker.tools."), Map.of("GANTRY_PEPER", "x")))
                .hasMessage("there is no setting gantry.worker.tools.; the most similar one is gantry.worker.tools;"
                        + " there is no setting GANTRY_PEPER; the most similar one is GANTRY_PEPPER");
    }

    @Test
    void oldSettingNameIsRejectedWithTheNewOne() {
        assertThatThrownBy(() -> SettingKeys.check(
                        List.of("gantry.connections.most-of-address"), Map.of("GANTRY_LINK_LOST_AFTER", "1m")))
                .hasMessage("the setting gantry.connections.most-of-address has a new name:"
                        + " gantry.connections.max-per-address; the setting GANTRY_LINK_LOST_AFTER has a new name:"
                        + " GANTRY_AGENTS_OFFLINE_TIMEOUT");
        assertThatThrownBy(() -> SettingKeys.check(
                        List.of("gantry.link.check-interval", "gantry.uploads.interval"),
                        Map.of("GANTRY_PROXIES", "127.0.0.1")))
                .hasMessage("the setting gantry.link.check-interval has a new name:"
                        + " gantry.agents.offline-check-interval; the setting gantry.uploads.interval has a new name:"
                        + " gantry.uploads.throughput-interval; the setting GANTRY_PROXIES has a new name:"
                        + " GANTRY_TRUSTED_PROXIES");
    }

    @Test
    void everySettingThatTheCodeReadsIsKnown() throws IOException {
        Set<String> read = new TreeSet<>(keysOf("application.yml"));
        read.addAll(keysOf("application-lambda.yml"));
        for (String source : sources()) {
            PLACEHOLDER.matcher(source).results().forEach(match -> read.add(match.group(1)));
            Matcher properties = PROPERTIES.matcher(source);
            while (properties.find()) {
                String prefix = properties.group(1);
                COMPONENT
                        .matcher(properties.group(2))
                        .results()
                        .forEach(component -> read.add(prefix + "." + hyphenated(component.group(1))));
            }
        }
        assertThat(read).contains("gantry.connections.max-per-address", "gantry.worker.tools", "gantry.pepper");
        assertThatCode(() -> SettingKeys.check(read, Map.of())).doesNotThrowAnyException();
    }

    @Test
    void listedDefaultsEqualThoseInTheCode() throws IOException {
        Map<String, String> used = new TreeMap<>();
        for (String source : sources()) {
            INJECTED.matcher(source).results().forEach(match -> used.put(match.group(1), match.group(2)));
            Matcher properties = PROPERTIES.matcher(source);
            while (properties.find()) {
                String prefix = properties.group(1);
                BOUND.matcher(properties.group(2))
                        .results()
                        .forEach(bound -> used.put(prefix + "." + hyphenated(bound.group(2)), bound.group(1)));
            }
        }
        used.putAll(valuesOf("application.yml"));
        used.keySet().removeIf(key -> key.startsWith("gantry.slicers.bundles.") || key.equals("gantry.worker.tools"));
        Map<String, String> listed = Settings.ALL.stream()
                .filter(setting -> setting.source().isEmpty())
                .collect(Collectors.toMap(Setting::key, Setting::defaultValue));
        assertThat(used).hasSizeGreaterThan(40).containsExactlyInAnyOrderEntriesOf(listed);
    }

    @Test
    void everySettingHasAUnitAndADescriptionAndIsListedOnce() {
        assertThat(Settings.ALL).extracting(Setting::key).isSorted().doesNotHaveDuplicates();
        assertThat(Settings.ALL).allSatisfy(setting -> {
            assertThat(setting.unit()).isNotBlank();
            assertThat(setting.meaning()).endsWith(".");
        });
    }

    private static String hyphenated(String component) {
        return component.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    private static List<String> sources() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(SettingKeysTest::text)
                    .collect(Collectors.toList());
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> keysOf(String resource) throws IOException {
        return valuesOf(resource).keySet();
    }

    private static Map<String, String> valuesOf(String resource) throws IOException {
        Map<?, ?> root = new Yaml().load(Files.readString(Path.of("src/main/resources", resource)));
        Map<String, String> values = new TreeMap<>();
        collect("gantry", Objects.requireNonNull(root.get("gantry")), values);
        return values;
    }

    private static void collect(String key, Object tree, Map<String, String> values) {
        if (tree instanceof Map<?, ?> map && !map.isEmpty()) {
            map.forEach((name, value) -> collect(key + "." + name, value, values));
        } else {
            values.put(key, tree.toString());
        }
    }
}
