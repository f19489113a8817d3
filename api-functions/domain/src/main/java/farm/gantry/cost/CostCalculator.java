package farm.gantry.cost;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.stream.Stream;

/** Calculates what a print costs at its rates, whether it ended or is estimated. */
public final class CostCalculator {
    private static final double WATT_SECONDS_OF_KWH = 3_600_000;

    private CostCalculator() {}

    /** Returns the cost of a print. */
    public static Cost calculate(CostedPrint print) {
        PrintRates rates = print.rates();
        CostRates.Labour labour = rates.ofStore().labour();
        Double hour = rates.hourlyCents();
        Cost cost = new Cost(
                print.filamentCents(),
                hour == null ? 0 : print.hours() * hour,
                energyCents(print),
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

    private static double energyCents(CostedPrint print) {
        CostRates.Energy energy = print.rates().ofStore().energy();
        if (energy == null) {
            return 0;
        }
        ZoneId zone = print.rates().zone();
        CostRates.Power power = energy.of(print.modelName());
        Instant from = print.startedAt();
        Instant to = print.endedAt();
        Instant warm = from.plusSeconds(power.heatingSeconds());
        return power.heatingWatts()
                        * centSeconds(energy, zone, from, warm.isBefore(to) ? warm : to)
                        / WATT_SECONDS_OF_KWH
                + power.printingWatts() * centSeconds(energy, zone, warm, to) / WATT_SECONDS_OF_KWH;
    }

    /** The seconds between the times, each times what a kWh costs then. */
    private static double centSeconds(CostRates.Energy energy, ZoneId zone, Instant from, Instant to) {
        List<CostRates.Window> windows = energy.windows() == null ? List.of() : energy.windows();
        double sum = 0;
        ZonedDateTime at = from.atZone(zone);
        ZonedDateTime end = to.atZone(zone);
        while (at.isBefore(end)) {
            ZonedDateTime here = at;
            LocalTime time = here.toLocalTime();
            ZonedDateTime next = windows.stream()
                    .flatMap(window -> Stream.of(window.from(), window.until()))
                    .map(boundary -> nextOccurrence(here, LocalTime.parse(boundary)))
                    .min(ZonedDateTime::compareTo)
                    .filter(boundary -> boundary.isBefore(end))
                    .orElse(end);
            double cents = windows.stream()
                    .filter(window -> contains(window, time))
                    .findFirst()
                    .map(CostRates.Window::centsPerKwh)
                    .orElse(energy.centsPerKwh());
            sum += Duration.between(here, next).toMillis() / 1000.0 * cents;
            at = next;
        }
        return sum;
    }

    /** The next time that the clock shows this; a day without it has it when its hour is skipped. */
    private static ZonedDateTime nextOccurrence(ZonedDateTime now, LocalTime time) {
        ZonedDateTime today = now.with(time);
        return today.isAfter(now) ? today : now.plusDays(1).with(time);
    }

    private static boolean contains(CostRates.Window window, LocalTime time) {
        LocalTime from = LocalTime.parse(window.from());
        LocalTime until = LocalTime.parse(window.until());
        boolean isAfter = !time.isBefore(from);
        boolean isBefore = time.isBefore(until);
        return from.isBefore(until) ? isAfter && isBefore : isAfter || isBefore;
    }
}
