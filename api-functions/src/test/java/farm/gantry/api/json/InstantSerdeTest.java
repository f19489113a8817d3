package farm.gantry.api.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InstantSerdeTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-28T15:07:28.382Z",
                "2024-02-29T23:59:59.999Z",
                "0000-01-01T00:00:00.000Z",
                "9999-12-31T00:00:00.001Z",
                "2026-11-28T15:07:28Z",
                "2026-11-28T15:07:28.3821Z",
                "2026-11-28T15:07+01:00",
                "2026-11-28T15:07:28+01:00",
                "+12026-11-28T15:07:28Z"
            })
    void timeIsReadInEveryIso8601Format(String text) {
        assertThat(InstantSerde.read(text)).isEqualTo(OffsetDateTime.parse(text).toInstant());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-02-29T00:00:00.000Z",
                "2026-13-01T00:00:00.000Z",
                "2026-11-28T24:00:00.000Z",
                "2026-11-28T15:07:60.000Z",
                "2026-11-28 15:07:28.382Z",
                "2026-11-28T15:07:28.3 2Z",
                "2026-11-28T15:07:28.38aZ",
                "٢٠26-11-28T15:07:28.382Z"
            })
    void invalidTimeIsRejected(String text) {
        assertThatThrownBy(() -> InstantSerde.read(text)).isInstanceOf(DateTimeException.class);
    }
}
