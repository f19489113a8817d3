package farm.gantry.api.description;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks the committed description of the API against the code. */
final class DescriptionTest {
    private static final Path KEPT = Path.of("src/main/resources/openapi.yaml");
    private static final int SHOWN = 20;
    private static final int MAX_SUMMARY = 90;

    /**
     * All but the last answer with JSON schemas, whose references readers of the description would follow, or with documents
     * longer than an example can be. Plates are split by the worker, which does not run in the tests that record examples.
     */
    private static final List<String> WITHOUT_EXAMPLE = List.of(
            "getHints",
            "getHintSchemaPaths",
            "getHintSchemaTypes",
            "getSystemProfile",
            "getHintSchemaPath",
            "listHintPath",
            "partSplitPlates");

    @Test
    void examplesMatchTheirSchemas() {
        assertThat(DescriptionCheck.wrongExamples()).isEmpty();
    }

    /** Tools that inline schemas would not terminate on a recursive one. */
    @Test
    void noSchemaContainsItself() {
        Map<?, ?> components = (Map<?, ?>) DescriptionGenerator.description().get("components");
        Map<?, ?> schemas = (Map<?, ?>) Objects.requireNonNull(components).get("schemas");
        Set<Object> open = new LinkedHashSet<>(Objects.requireNonNull(schemas).keySet());
        boolean removed = true;
        while (removed) {
            Set<Object> left = Set.copyOf(open);
            removed = open.removeIf(name -> references(schemas.get(name)).noneMatch(left::contains));
        }
        assertThat(open).as("each of these contains itself").isEmpty();
    }

    private static Stream<String> references(@Nullable Object schema) {
        return switch (schema) {
            case Map<?, ?> map -> map.values().stream().flatMap(DescriptionTest::references);
            case List<?> list -> list.stream().flatMap(DescriptionTest::references);
            case String text
            when text.startsWith(Schemas.REFERENCE) -> Stream.of(text.substring(Schemas.REFERENCE.length()));
            case null, default -> Stream.empty();
        };
    }

    @Test
    void descriptionMatchesTheCode() throws IOException {
        String made = DescriptionGenerator.yaml();
        if ("write".equals(System.getProperty("description"))) {
            Files.writeString(KEPT, made);
        }
        assertThat(Files.exists(KEPT) ? Files.readString(KEPT) : "")
                .as("the description has changed with the code: run infra/describe, look at the difference, commit it")
                .isEqualTo(made);
    }

    @Test
    void everyOperationAndPropertyIsDescribed() {
        PropertyDescriptions sentences = new PropertyDescriptions();
        Map<String, @Nullable Object> description = sentences.addTo(DescriptionGenerator.fromCode());
        List<String> operations = operations(description)
                .filter(operation ->
                        !String.valueOf(operation.get("description")).contains("\n\n"))
                .map(operation -> String.valueOf(operation.get("operationId")))
                .toList();
        assertThat(operations.stream().limit(SHOWN))
                .as("%d operations have no description: add a Javadoc to their methods", operations.size())
                .isEmpty();
        assertThat(sentences.missing().stream().distinct().limit(SHOWN))
                .as(
                        "%d properties have no description: add a sentence to %s",
                        sentences.missing().size(), PropertyDescriptions.FILE)
                .isEmpty();
        assertThat(sentences.unused())
                .as("no property uses these keys: remove them from %s", PropertyDescriptions.FILE)
                .isEmpty();
    }

    /**
     * Run {@code infra/test OwnStoreTest -Dexamples=write}, or the test that sends a new operation, and then {@code
     * infra/describe}.
     */
    @Test
    void operationsHaveExamplesThatTestsHaveSent() {
        List<String> missing = Examples.missing(DescriptionGenerator.fromCode());
        assertThat(missing).as("operations without an example").isSubsetOf(WITHOUT_EXAMPLE);
    }

    /** A summary is the operation's name in lists of them, so it is short and begins with what the operation does. */
    @Test
    void summariesAreShortAndBeginWithAVerb() {
        assertThat(operations(DescriptionGenerator.fromCode())
                        .map(operation -> String.valueOf(operation.get("summary")))
                        .filter(summary -> summary.length() > MAX_SUMMARY
                                || summary.endsWith(".")
                                || summary.matches("(A|An|The|Each|What|When|Where|Whether|Which) .*")))
                .as("change the first sentence of the methods' Javadocs")
                .isEmpty();
    }

    private static Stream<Map<?, ?>> operations(Map<String, @Nullable Object> description) {
        Map<?, ?> paths = (Map<?, ?>) Objects.requireNonNull(description.get("paths"));
        return paths.values().stream()
                .flatMap(path -> ((Map<?, ?>) path).values().stream())
                .map(operation -> (Map<?, ?>) operation);
    }

    @Test
    void operationIdsAreUnique() throws IOException {
        assertThat(DescriptionGenerator.yaml().lines().filter(line -> line.startsWith("      operationId: ")))
                .isNotEmpty()
                .doesNotHaveDuplicates();
    }
}
