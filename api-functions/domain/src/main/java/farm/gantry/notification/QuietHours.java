package farm.gantry.notification;

import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;

/** The hours of each day in which a channel collects messages, in the time zone of the store; they may pass midnight. */
@Serdeable
public record QuietHours(
        @Pattern(regexp = TIME, message = "must be a time of day such as 22:00")
        String from,

        @Pattern(regexp = TIME, message = "must be a time of day such as 07:00")
        String to) {
    private static final String TIME = "([01][0-9]|2[0-3]):[0-5][0-9]";

    /** Returns when the quiet hours end; empty if the time is outside them. */
    public Optional<Instant> endAfter(Instant time, ZoneId zone) {
        LocalTime begin = LocalTime.parse(from);
        LocalTime end = LocalTime.parse(to);
        ZonedDateTime local = time.atZone(zone);
        LocalTime now = local.toLocalTime();
        boolean isAfterBegin = !now.isBefore(begin);
        boolean isBeforeEnd = now.isBefore(end);
        boolean passesMidnight = end.isBefore(begin);
        if (passesMidnight ? !isAfterBegin && !isBeforeEnd : !isAfterBegin || !isBeforeEnd) {
            return Optional.empty();
        }
        int days = isBeforeEnd ? 0 : 1;
        return Optional.of(
                local.toLocalDate().plusDays(days).atTime(end).atZone(zone).toInstant());
    }
}
