package farm.gantry.api.description;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The description that is kept is the one the code makes. */
final class DescriptionTest {
    private static final Path KEPT = Path.of("src/main/resources/openapi.yaml");

    @Test
    void itsExamplesAreWhatItSays() {
        assertThat(Described.wrongExamples()).isEmpty();
    }

    @Test
    void isWhatTheCodeSays() throws IOException {
        String made = Describing.yaml();
        if ("write".equals(System.getProperty("description"))) {
            Files.writeString(KEPT, made);
        }
        assertThat(Files.exists(KEPT) ? Files.readString(KEPT) : "")
                .as("the description has changed with the code: run infra/describe, look at the difference, commit it")
                .isEqualTo(made);
    }
}
