package farm.gantry.cost;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The rates of one print. {@code hourCents} is the printer's own rate, null where it has none; {@code pricePer1000g} is the price of
 * filament that came from no spool with a price. Hours of the energy windows are those of the {@code zone}.
 */
public record PrintRates(
        CostRates ofStore, @Nullable Double hourCents, double pricePer1000g, String currency, ZoneId zone) {

    /** Returns the printer's own rate of an hour, else the store's; null where neither is set. */
    public @Nullable Double hourlyCents() {
        return hourCents != null ? hourCents : ofStore.printerHourCents();
    }
}
