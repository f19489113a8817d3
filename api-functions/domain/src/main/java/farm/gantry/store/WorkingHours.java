package farm.gantry.store;

import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.DayOfWeek;
import java.util.List;
import java.util.Locale;

/**
 * The hours in which people are at the farm, in the store's time zone, and the minutes that they need to clear a bed and to change a
 * filament. {@code people} work in parallel. A shift that ends before it begins ends on the next day; without shifts, somebody is always
 * there. {@code holidays} are days without shifts.
 */
@Serdeable
public record WorkingHours(
        @Size(max = 50) List<@Valid Shift> shifts,

        @Size(max = 400)
        List<@Pattern(regexp = "[0-9]{4}-[0-9]{2}-[0-9]{2}", message = "must be a date such as 2026-12-24") String>
                holidays,

        @Min(0) @Max(1440) int minutesPerBed,
        @Min(0) @Max(1440) int minutesPerFilamentChange,
        @Min(1) @Max(1000) int people) {
    /** The default of a store without working hours: somebody is always present and responds quickly. */
    public static final WorkingHours ALWAYS = new WorkingHours(List.of(), List.of(), 2, 5, 1000);

    private static final String TIME = "([01][0-9]|2[0-3]):[0-5][0-9]";

    /** Times of day as {@code HH:mm}. */
    @Serdeable
    public record Shift(
            Day day,

            @Pattern(regexp = TIME, message = "must be a time of day such as 08:30")
            String from,

            @Pattern(regexp = TIME, message = "must be a time of day such as 08:30")
            String to) {}

    /** A day of the week. */
    @Serdeable
    public enum Day {
        monday,
        tuesday,
        wednesday,
        thursday,
        friday,
        saturday,
        sunday;

        public DayOfWeek dayOfWeek() {
            return DayOfWeek.valueOf(name().toUpperCase(Locale.ROOT));
        }
    }
}
