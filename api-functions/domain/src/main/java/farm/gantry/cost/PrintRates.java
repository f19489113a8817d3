package farm.gantry.cost;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The rates of one print. {@code hourCents} is the printer's own hourly rate, null if it has none. {@code pricePer1000g} is the price of
 * filament that came from no spool with a price. The hours of the energy windows are in {@code zone}.
 */
public record PrintRates(
        CostRates ofStore, @Nullable Double hourCents, double pricePer1000g, String currency, ZoneId zone) {

    /** Returns the hourly rate in cents: the printer's own, else the store's; null if neither is set. */
    public @Nullable Double hourlyCents() {
        return hourCents != null ? hourCents : ofStore.printerHourCents();
    }
}
