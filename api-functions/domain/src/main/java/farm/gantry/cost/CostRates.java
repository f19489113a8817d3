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
 * The rates of a store's costs other than filament, in cents of its currency. A null rate is not counted. {@code printerHourCents} applies
 * to printers without an {@code hourlyRate} of their own.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
public record CostRates(
        @Nullable @PositiveOrZero Double printerHourCents,
        @Nullable @Valid Energy energy,
        @Nullable @Valid Labour labour) {
    public static final CostRates NOTHING = new CostRates(null, null, null);

    /** Returns these rates, replaced by the non-null ones of the others. */
    public CostRates overriddenBy(CostRates others) {
        return new CostRates(
                others.printerHourCents != null ? others.printerHourCents : printerHourCents,
                others.energy != null ? others.energy : energy,
                others.labour != null ? others.labour : labour);
    }

    /**
     * The price of a kWh, with other prices in the hours of {@code windows}; the first matching window applies. {@code models} maps a
     * printer model to its power draw, with {@code *} for all other models.
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

    /** A daily period, in the store's time zone, with another price per kWh. It may span midnight. */
    @Serdeable
    public record Window(
            @Pattern(regexp = TIME, message = "must be a time of day such as 08:30")
            String from,

            @Pattern(regexp = TIME, message = "must be a time of day such as 08:30")
            String until,

            @PositiveOrZero double centsPerKwh) {
        private static final String TIME = "([01][0-9]|2[0-3]):[0-5][0-9]";
    }

    /**
     * The power draw of a printer in watts: while it heats up, for {@code heatingSeconds} from the start, and afterwards while it prints.
     */
    @Serdeable
    public record Power(
            @PositiveOrZero double heatingWatts,
            @PositiveOrZero int heatingSeconds,
            @PositiveOrZero double printingWatts) {
        static final Power NONE = new Power(0, 0, 0);
    }

    /** The hourly wage, and the minutes of work per cleared bed, per filament change and per order. */
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
