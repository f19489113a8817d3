package farm.gantry.edge.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiExceptionTest {
    @Test
    void apiErrorMessageIsExtractedFromItsJson() {
        String body = "{\"status\":404,\"code\":\"not_found\",\"message\":\"there is no such pairing code\"}";
        assertThat(new ApiException(404, body)).hasMessage("the API answered 404 there is no such pairing code");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "<html>Conflict</html>", "[]", "null", "{}", "{\"error\":9}", "{\"error\":\"conflict\"}"})
    void conflictWithoutTheSupersededCodeIsNotSupersession(String body) {
        ApiException conflict = new ApiException(409, body);
        assertThat(conflict.isSuperseded()).isFalse();
        assertThat(conflict).hasMessage("the API answered 409 " + body);
    }
}
