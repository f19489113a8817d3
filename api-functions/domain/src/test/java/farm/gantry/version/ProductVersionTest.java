package farm.gantry.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProductVersionTest {
    private static ProductVersion version(String text) {
        return ProductVersion.parse(text).orElseThrow();
    }

    @Test
    void currentVersionIsTheOneOfTheBuild() throws IOException {
        assertThat(Files.readString(Path.of("../../pom.xml")))
                .contains("<revision>" + ProductVersion.CURRENT + "</revision>");
    }

    @ParameterizedTest
    @CsvSource({
        "1.2.0, 1.2.9, true",
        "1.2.0, 1.1.0, true",
        "1.2.0, 1.3.4, true",
        "1.2.0-beta.1, 1.2.0, true",
        "1.2.0, 1.4.0, false",
        "1.2.0, 1.0.0, false",
        "1.9.0, 2.0.0, false",
        "1.9.0, 2.9.0, false"
    })
    void neighbouringMinorVersionsAreCompatible(String one, String other, boolean isCompatible) {
        assertThat(version(one).isCompatibleWith(version(other))).isEqualTo(isCompatible);
        assertThat(version(other).isCompatibleWith(version(one))).isEqualTo(isCompatible);
    }

    @Test
    void versionsAreOrderedByMajorThenMinor() {
        assertThat(version("1.9.0").isOlderThan(version("2.0.0"))).isTrue();
        assertThat(version("2.0.0").isOlderThan(version("1.9.0"))).isFalse();
        assertThat(version("1.1.0").isOlderThan(version("1.2.0"))).isTrue();
        assertThat(version("1.2.0").isOlderThan(version("1.2.1"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0.1", "1.2", "v1.2.0", "1.2.x", "1.2.0 ", "99999999999.0.0"})
    void textThatIsNoSemanticVersionIsNotParsed(String text) {
        assertThat(ProductVersion.parse(text)).isEmpty();
    }
}
