package farm.gantry.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TagRuleTest {
    @ParameterizedTest(name = "{0} against {1} is {2}")
    @CsvSource({
        "PLA, PLA, true",
        "=PLA, PLA, true",
        "PLA, pla, false",
        "PLA, PLA PETG, true",
        "PLA, PETG, false",
        "&=big|clean, big clean warm, true",
        "&=big|clean, big, false",
        "|=PLA|PETG, PETG, true",
        "'|=PLA,PETG', PETG, true",
        "|=PLA|PETG, ABS, false",
    })
    void tagRuleMatchesByEqualityAllOfOrAnyOf(String rule, String present, boolean accepted) {
        assertThat(TagRule.parse(rule).accepts(Arrays.asList(present.split(" ")))).isEqualTo(accepted);
    }
}
