package farm.gantry.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests when quiet hours end. */
final class QuietHoursTest {
    @ParameterizedTest
    @CsvSource({
        "22:00,07:00,2026-11-30T20:59:59Z,", // 21:59 in Berlin
        "22:00,07:00,2026-11-30T21:00:00Z,2026-12-01T06:00:00Z",
        "22:00,07:00,2026-12-01T05:59:59Z,2026-12-01T06:00:00Z",
        "22:00,07:00,2026-12-01T06:00:00Z,",
        "12:00,13:00,2026-11-30T11:30:00Z,2026-11-30T12:00:00Z",
        "12:00,13:00,2026-11-30T12:00:00Z,",
        "22:00,02:30,2026-03-28T23:00:00Z,2026-03-29T01:30:00Z", // 02:30 is skipped in that night
        "22:00,07:00,2026-10-24T21:00:00Z,2026-10-25T06:00:00Z" // an hour longer in that night
    })
    void quietHoursEndInTheTimeZoneOfTheStore(String from, String to, Instant now, @Nullable Instant end) {
        assertThat(new QuietHours(from, to)
                        .endAfter(now, ZoneId.of("Europe/Berlin"))
                        .orElse(null))
                .isEqualTo(end);
    }
}
