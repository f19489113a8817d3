package farm.gantry.cost;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Says what prints cost at a store's rates, in its time zone. */
public record Costing(CostRates rates, ZoneId zone) {
    private static final double WATT_SECONDS_OF_KWH = 3_600_000;

    /** What a print cost that ended. */
    public Cost of(Print print) {
        CostRates.Labour labour = rates.labour();
        Cost cost = new Cost(
                print.filamentCents(),
                print.hours() * rate(print.hourCents()),
                energy(print.modelName(), print.startedAt(), print.endedAt()),
                labour == null ? 0 : labour.cents(1, print.changes(), print.opensOrder() ? 1 : 0),
                0);
        return print.scrap() > 0
                ? new Cost(
                        cost.filamentCents(),
                        cost.machineCents(),
                        cost.energyCents(),
                        cost.labourCents(),
                        cost.totalCents() * print.scrap())
                : cost;
    }

    /** What prints that are still to come are estimated at, their filament aside, at the rates of any printer. */
    public Cost estimate(int prints, double seconds, int orders) {
        CostRates.Labour labour = rates.labour();
        return new Cost(
                0,
                seconds / 3600 * rate(null),
                estimatedEnergy(prints, seconds),
                labour == null ? 0 : labour.cents(prints, 0, orders),
                0);
    }

    private double rate(@Nullable Double ofPrinter) {
        return ofPrinter != null ? ofPrinter : rates.printerHourCents() == null ? 0 : rates.printerHourCents();
    }

    private double estimatedEnergy(int prints, double seconds) {
        CostRates.Energy energy = rates.energy();
        if (energy == null) {
            return 0;
        }
        CostRates.Power power = energy.of(null);
        double heating = Math.min(seconds, (double) prints * power.heatingSeconds());
        return (heating * power.heatingWatts() + (seconds - heating) * power.printingWatts())
                / WATT_SECONDS_OF_KWH
                * energy.centsPerKwh();
    }

    private double energy(@Nullable String modelName, Instant from, Instant to) {
        CostRates.Energy energy = rates.energy();
        if (energy == null) {
            return 0;
        }
        CostRates.Power power = energy.of(modelName);
        Instant warm = from.plusSeconds(power.heatingSeconds());
        return power.heatingWatts() * centSeconds(energy, from, warm.isBefore(to) ? warm : to) / WATT_SECONDS_OF_KWH
                + power.printingWatts() * centSeconds(energy, warm, to) / WATT_SECONDS_OF_KWH;
    }

    /** The seconds between the times, each times what a kWh costs then. */
    private double centSeconds(CostRates.Energy energy, Instant from, Instant to) {
        List<CostRates.Window> windows = energy.windows() == null ? List.of() : energy.windows();
        double sum = 0;
        ZonedDateTime at = from.atZone(zone);
        ZonedDateTime end = to.atZone(zone);
        while (at.isBefore(end)) {
            ZonedDateTime here = at;
            LocalTime time = here.toLocalTime();
            ZonedDateTime next = windows.stream()
                    .flatMap(window -> Stream.of(window.from(), window.until()))
                    .map(boundary -> after(here, LocalTime.parse(boundary)))
                    .min(ZonedDateTime::compareTo)
                    .filter(boundary -> boundary.isBefore(end))
                    .orElse(end);
            double cents = windows.stream()
                    .filter(window -> holds(window, time))
                    .findFirst()
                    .map(CostRates.Window::centsPerKwh)
                    .orElse(energy.centsPerKwh());
            sum += Duration.between(here, next).toMillis() / 1000.0 * cents;
            at = next;
        }
        return sum;
    }

    /** The next time that the clock shows this; a day without it has it when its hour is skipped. */
    private static ZonedDateTime after(ZonedDateTime now, LocalTime time) {
        ZonedDateTime today = now.with(time);
        return today.isAfter(now) ? today : now.plusDays(1).with(time);
    }

    private static boolean holds(CostRates.Window window, LocalTime time) {
        LocalTime from = LocalTime.parse(window.from());
        LocalTime until = LocalTime.parse(window.until());
        boolean isAfter = !time.isBefore(from);
        boolean isBefore = time.isBefore(until);
        return from.isBefore(until) ? isAfter && isBefore : isAfter || isBefore;
    }
}
