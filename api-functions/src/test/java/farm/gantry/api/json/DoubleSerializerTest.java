package farm.gantry.api.json;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.part.Toolpath;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DoubleSerializerTest {
    private static final ObjectMapper MAPPER = ObjectMapper.create(Map.of(), "farm.gantry.json");

    @ParameterizedTest
    @CsvSource({
        "1000, 1000",
        "-25, -25",
        "0, 0",
        "-0.0, 0",
        "12.5, 12.5",
        "9007199254740992, 9007199254740992",
        "1e300, 1.0E300"
    })
    void wholeNumberIsWrittenWithoutFraction(double number, String expected) throws IOException {
        assertThat(MAPPER.writeValueAsString(Map.of("value", number))).isEqualTo("{\"value\":" + expected + "}");
        assertThat(MAPPER.writeValueAsString(Map.of("values", List.of(number))))
                .isEqualTo("{\"values\":[" + expected + "]}");
    }

    @Test
    void wholeNumberInARecordIsWrittenWithoutFraction() throws IOException {
        String json = MAPPER.writeValueAsString(new Toolpath(300.0, 12.5, 309.0, null, 210.0, 60.0, true));
        assertThat(json).contains(":300,", ":12.5,", ":309,", ":210,", ":60,").doesNotContain(".0");
    }
}
