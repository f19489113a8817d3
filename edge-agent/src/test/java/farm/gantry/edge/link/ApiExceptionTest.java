package farm.gantry.edge.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiExceptionTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"", "<html>Conflict</html>", "[]", "null", "{}", "{\"error\":9}", "{\"error\":\"conflict\"}"})
    void aConflictWithoutTheCodeIsNoWordOfAnotherProcess(String body) {
        ApiException conflict = new ApiException(409, body);
        assertThat(conflict.isSuperseded()).isFalse();
        assertThat(conflict).hasMessage("the API answered 409 " + body);
    }
}
