package farm.gantry.part;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParameterCheckTest {
    private static PartParameter parameter(
            PartParameter.Type type,
            @Nullable Double min,
            @Nullable Double max,
            @Nullable Double step,
            Object... options) {
        return new PartParameter(
                "p",
                type,
                null,
                null,
                null,
                null,
                min,
                max,
                step,
                List.of(options).stream()
                        .map(option -> new PartParameter.Option(option, null))
                        .toList(),
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private static @Nullable String code(PartParameter parameter, @Nullable Object value) {
        return ParameterCheck.check(parameter, value)
                .map(ParameterCheck.Violation::code)
                .orElse(null);
    }

    @ParameterizedTest(name = "{3} in {0} to {1} by {2}: {4}")
    @CsvSource(
            nullValues = "-",
            value = {
                "0, 1, 0.1, 0.3, -", "0, 1, 0.1, 0.35, step", "0.05, 1, 0.1, 0.35, -", "-, -, 2, 4, -",
                        "-, -, 2, 5, step",
                "0, 1, -, 1.001, range", "0, 1, -, -0.001, range", "-, -, -, 1e300, -", "-, -, 0, 7.3, -",
                        "0, 1, 0.1, 1, -"
            })
    void numberOutsideItsRangeOrStepsIsRejected(
            @Nullable Double min, @Nullable Double max, @Nullable Double step, double value, @Nullable String code) {
        assertThat(code(parameter(PartParameter.Type.number, min, max, step), value))
                .isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource({
        "number, 5",
        "string, a",
        "FLAG, true",
        "file, uploads:aaaaaaaaaaaaaaaaaaaaaaaa/aaaaaaaaaaaaaaaaaaaaaaaa/a"
    })
    void valueOfTheWrongTypeIsRejected(PartParameter.Type type, String text) {
        Object right = switch (type) {
            case number -> Integer.valueOf(text);
            case FLAG -> Boolean.valueOf(text);
            case string, file -> text;
        };
        PartParameter parameter = parameter(type, null, null, null);
        assertThat(code(parameter, right)).isNull();
        assertThat(code(parameter, List.of())).isEqualTo("type");
        assertThat(code(parameter, null)).isEqualTo("type");
        assertThat(code(parameter, type == PartParameter.Type.number ? (Object) text : 5))
                .isEqualTo("type");
    }

    @ParameterizedTest
    @CsvSource({"1, ", "1.0, ", "2.5, ", "3, enum"})
    void choiceIsAcceptedInAnySpelling(double value, @Nullable String code) {
        assertThat(code(parameter(PartParameter.Type.number, null, null, null, 1, 2.5, "x"), value))
                .isEqualTo(code);
    }
}
