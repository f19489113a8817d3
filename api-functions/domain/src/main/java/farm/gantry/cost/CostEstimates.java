package farm.gantry.cost;

import farm.gantry.part.PrintTags;
import farm.gantry.printer.Printer;
import farm.gantry.schedule.JobMatcher;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the cost of planned prints at today's rates. The estimate assumes that the print starts now, takes the estimated time and
 * filament, needs no spool change and succeeds. If a print has no printer yet, it is the mean over the enabled printers that its tags
 * allow, or over all that they allow if none of these is enabled. Loaded filament does not count, because it changes.
 */
public final class CostEstimates {
    private final PrintRates rates;
    private final List<Printer> printers;
    private final Map<Place, Map<Pricing, Long>> pricings = new HashMap<>();
    private final Instant now;

    /** Where a print may run: on the printer with this id, or, if that is null, on those that the tags allow. */
    public record Place(@Nullable String printerId, PrintTags tags) {
        boolean allows(Printer printer) {
            return printerId == null
                    ? JobMatcher.allows(tags, printer)
                    : printer.id().equals(printerId);
        }
    }

    /** A print that has not ended. */
    public record PlannedPrint(Place place, double seconds, double filamentCents, boolean opensOrder) {}

    /** The properties of a printer that determine its cost. Printers with equal properties are estimated once. */
    private record Pricing(
            @Nullable String modelName, @Nullable Double hourCents) {
        static final Pricing STORE = new Pricing(null, null);

        static Pricing of(Printer printer) {
            return new Pricing(printer.modelName(), printer.hourlyRate());
        }
    }

    public CostEstimates(PrintRates rates, List<Printer> printers, Instant now) {
        this.rates = rates;
        this.printers = List.copyOf(printers);
        this.now = now;
    }

    public String currency() {
        return rates.currency();
    }

    /** Returns today's rates of each kind of enabled printer, or those of the store if it has no printer. */
    public List<PrintRates> rates() {
        List<PrintRates> own = printers.stream()
                .filter(Printer::enabled)
                .map(Pricing::of)
                .distinct()
                .map(this::rates)
                .toList();
        return own.isEmpty() ? List.of(rates) : own;
    }

    /** Returns the estimated cost of the print. */
    public Cost estimate(PlannedPrint print) {
        Map<Pricing, Long> possible = pricings.computeIfAbsent(print.place(), this::countPricings);
        double count = possible.values().stream().mapToDouble(Long::doubleValue).sum();
        Cost mean = Cost.NOTHING;
        for (Map.Entry<Pricing, Long> each : possible.entrySet()) {
            mean = mean.plus(
                    CostCalculator.calculate(print(print, each.getKey())).multipliedBy(each.getValue() / count));
        }
        return mean;
    }

    private Map<Pricing, Long> countPricings(Place place) {
        List<Printer> allowed = printers.stream().filter(place::allows).toList();
        List<Printer> enabled = allowed.stream().filter(Printer::enabled).toList();
        return allowed.isEmpty()
                ? Map.of(Pricing.STORE, 1L)
                : (enabled.isEmpty() ? allowed : enabled)
                        .stream().collect(Collectors.groupingBy(Pricing::of, Collectors.counting()));
    }

    private CostedPrint print(PlannedPrint planned, Pricing printer) {
        Instant end = now.plusMillis(Math.round(planned.seconds() * 1000));
        return new CostedPrint(
                rates(printer), printer.modelName(), now, end, planned.filamentCents(), 0, 0, planned.opensOrder(), 0);
    }

    private PrintRates rates(Pricing printer) {
        return new PrintRates(
                rates.ofStore(), printer.hourCents(), rates.pricePer1000g(), rates.currency(), rates.zone());
    }
}
