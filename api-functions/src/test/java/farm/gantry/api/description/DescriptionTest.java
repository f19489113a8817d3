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

/** The description that is kept is the one the code makes. */
final class DescriptionTest {
    private static final Path KEPT = Path.of("src/main/resources/openapi.yaml");

    @Test
    void examplesMatchTheirSchemas() {
        assertThat(DescriptionCheck.wrongExamples()).isEmpty();
    }

    /** Tools that put each schema in the place of what refers to it would never end. */
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
    void operationIdsAreUnique() throws IOException {
        assertThat(DescriptionGenerator.yaml().lines().filter(line -> line.startsWith("      operationId: ")))
                .isNotEmpty()
                .doesNotHaveDuplicates();
    }
}
