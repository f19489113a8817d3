package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the dashboard and the alert rules of {@code infra/monitoring} against the metrics of a running farm. */
@ExtendWith(SharedFarm.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MonitoringTest {
    private static final Path FOLDER = Path.of("../monitoring");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without) \\([^)]*\\)|\\[[^]]*]");
    private static final Pattern SELECTOR =
            Pattern.compile("(?<![\\w:\"])([a-z]+(?:_[a-z]+)+|up)\\b(?!\\s*\\()(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~|!~|!=|=)\"([^\"]*)\"");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)})? \\S+$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");
    private static final Pattern PANEL = Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern RULE = Pattern.compile("(?m)^ +expr: (.+)$");

    private final List<Sample> samples = new ArrayList<>();

    private record Sample(String name, Map<String, String> labels) {}

    /** A metric with the conditions on its labels. */
    private record Selector(String name, List<MatchResult> conditions) {
        boolean selects(Sample sample) {
            return sample.name().equals(name)
                    && conditions.stream()
                            .allMatch(condition ->
                                    isMet(condition, sample.labels().get(condition.group(1))));
        }

        /** Returns whether the metric exists with all its labels, whatever their values are. */
        boolean isKnown(Sample sample) {
            return sample.name().equals(name)
                    && conditions.stream().allMatch(condition -> sample.labels().containsKey(condition.group(1)));
        }

        private static boolean isMet(MatchResult condition, @Nullable String value) {
            String expected = condition.group(3);
            return value != null
                    && switch (condition.group(2)) {
                        case "=" -> value.equals(expected);
                        case "!=" -> !value.equals(expected);
                        case "=~" -> value.matches(expected);
                        default -> !value.matches(expected);
                    };
        }
    }

    MonitoringTest(Farm farm) throws Exception {
        try (FarmPrinter machine = farm.addPrinter("monitored")) {
            assertThat(machine.id()).isNotEmpty();
            read(farm.metrics());
            read(farm.agentMetrics());
        }
    }

    private void read(String metrics) {
        SAMPLE.matcher(metrics).results().forEach(sample -> {
            Map<String, String> labels = new HashMap<>();
            if (sample.group(2) != null) {
                LABEL.matcher(sample.group(2)).results().forEach(label -> labels.put(label.group(1), label.group(2)));
            }
            samples.add(new Sample(sample.group(1), labels));
        });
    }

    private static List<Selector> selectors(String expression) {
        return SELECTOR.matcher(GROUPING.matcher(expression).replaceAll(""))
                .results()
                .map(selector -> new Selector(
                        selector.group(1),
                        selector.group(2) == null
                                ? List.of()
                                : MATCHER.matcher(selector.group(2)).results().toList()))
                .filter(selector -> !selector.name().equals("up")) // Prometheus's own
                .toList();
    }

    private static List<String> expressions(String file, Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(FOLDER.resolve(file)))
                .results()
                .map(match -> match.group(1).replace("\\\"", "\""))
                .toList();
    }

    /** An expression that ends with {@code or vector(0)} has data even if nothing is selected. */
    @Test
    void everyPanelHasData() throws IOException {
        List<String> expressions = expressions("dashboard.json", PANEL);
        assertThat(expressions).hasSizeGreaterThan(20);
        for (String expression : expressions) {
            boolean isOptional = expression.endsWith("or vector(0)");
            assertThat(selectors(expression))
                    .as(expression)
                    .isNotEmpty()
                    .allMatch(
                            selector -> samples.stream().anyMatch(isOptional ? selector::isKnown : selector::selects));
        }
    }

    @Test
    void everyAlertRuleUsesMetricsThatExist() throws IOException {
        List<String> expressions = expressions("alerts.yaml", RULE);
        assertThat(expressions).hasSizeGreaterThan(8);
        for (String expression : expressions) {
            assertThat(selectors(expression))
                    .as(expression)
                    .allMatch(selector -> samples.stream().anyMatch(selector::isKnown));
        }
    }

    @Test
    void expressionsAreTakenApartIntoSelectors() {
        List<Selector> selectors = selectors(
                "sum by (queue) (rate(some_total{queue=~\"a.*\",kind!=\"b\"}[5m])) / max(other_seconds) > 0 or vector(0)");
        assertThat(selectors).extracting(Selector::name).containsExactly("some_total", "other_seconds");
        assertThat(selectors.getFirst().selects(new Sample("some_total", Map.of("queue", "ab", "kind", "c"))))
                .isTrue();
        assertThat(selectors.getFirst().selects(new Sample("some_total", Map.of("queue", "ab", "kind", "b"))))
                .isFalse();
        assertThat(selectors.getFirst().selects(new Sample("some_total", Map.of("queue", "ab"))))
                .isFalse();
    }
}
