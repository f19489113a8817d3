package farm.gantry.cost;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a store counts beside its filament, in cents of its currency; what is null is not counted. {@code printerHourCents} is
 * for printers without an {@code hourlyRate} of their own.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
public record CostRates(
        @Nullable @PositiveOrZero Double printerHourCents,
        @Nullable @Valid Energy energy,
        @Nullable @Valid Labour labour) {
    public static final CostRates NOTHING = new CostRates(null, null, null);

    /** Returns these rates, but for those that the others name. */
    public CostRates overriddenBy(CostRates others) {
        return new CostRates(
                others.printerHourCents != null ? others.printerHourCents : printerHourCents,
                others.energy != null ? others.energy : energy,
                others.labour != null ? others.labour : labour);
    }

    /**
     * What a kWh costs, but for the hours of a window, the first that fits; {@code models} is printer model → what it draws,
     * with {@code *} for all others.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Energy(
            @PositiveOrZero double centsPerKwh,
            @Nullable @Size(max = 50) List<@Valid Window> windows,
            @Size(max = 1000) Map<String, @Valid Power> models) {
        static final String OTHERS = "*";

        Power of(@Nullable String modelName) {
            Power own = modelName == null ? null : models.get(modelName);
            return own == null ? models.getOrDefault(OTHERS, Power.NONE) : own;
        }
    }

    /** The hours of a day, in the store's time zone, in which a kWh costs something else; they may pass midnight. */
    @Serdeable
    public record Window(
            @Pattern(regexp = TIME, message = "must be a time of day such as 08:30")
            String from,

            @Pattern(regexp = TIME, message = "must be a time of day such as 08:30")
            String until,

            @PositiveOrZero double centsPerKwh) {
        private static final String TIME = "([01][0-9]|2[0-3]):[0-5][0-9]";
    }

    /** The watts of a printer while it heats up, for so many seconds from the start, and while it prints thereafter. */
    @Serdeable
    public record Power(
            @PositiveOrZero double heatingWatts,
            @PositiveOrZero int heatingSeconds,
            @PositiveOrZero double printingWatts) {
        static final Power NONE = new Power(0, 0, 0);
    }

    /** The wage of an hour, and the minutes that a person needs each time. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Labour(
            @PositiveOrZero double hourCents,
            @Nullable @PositiveOrZero Double minutesPerBed,
            @Nullable @PositiveOrZero Double minutesPerFilamentChange,
            @Nullable @PositiveOrZero Double minutesPerOrder) {
        double cents(int beds, int changes, int orders) {
            return hourCents
                    / 60
                    * (beds * minutes(minutesPerBed)
                            + changes * minutes(minutesPerFilamentChange)
                            + orders * minutes(minutesPerOrder));
        }

        private static double minutes(@Nullable Double minutes) {
            return minutes == null ? 0 : minutes;
        }
    }
}
