package farm.gantry.cost;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Estimates what prints cost that are still to come, at the rates of today. An estimate is the cost of the print if it begins now,
 * takes the estimated time and filament, needs no other spool and succeeds. A print that has no printer yet costs the mean of what
 * it would cost on each of the printers that may get it.
 */
public final class CostEstimates {
    private final PrintRates rates;
    private final List<PricedPrinter> printers;
    private final Map<Pricing, Long> anyPrinter;
    private final Instant now;

    /** A printer of the store; {@code hourCents} is its own rate. */
    public record PricedPrinter(
            String id, @Nullable String modelName, @Nullable Double hourCents, boolean isEnabled) {}

    /** A print that is still to come; {@code printerIds} are the printers that may get it, empty for all that are enabled. */
    public record PlannedPrint(List<String> printerIds, double seconds, double filamentCents, boolean opensOrder) {}

    /** Printers that cost the same share one. */
    private record Pricing(
            @Nullable String modelName, @Nullable Double hourCents) {
        static Pricing of(PricedPrinter printer) {
            return new Pricing(printer.modelName(), printer.hourCents());
        }
    }

    public CostEstimates(PrintRates rates, List<PricedPrinter> printers, Instant now) {
        this.rates = rates;
        this.printers = List.copyOf(printers);
        this.now = now;
        this.anyPrinter =
                countByPricing(this.printers.stream().filter(PricedPrinter::isEnabled).toList());
    }

    public String currency() {
        return rates.currency();
    }

    /** The rates of today of each kind of printer, or those of the store where it has no printer. */
    public List<PrintRates> rates() {
        return anyPrinter.isEmpty()
                ? List.of(rates)
                : anyPrinter.keySet().stream().map(this::rates).toList();
    }

    /** Returns the estimated cost of the print. */
    public Cost estimate(PlannedPrint print) {
        Map<Pricing, Long> own = print.printerIds().isEmpty()
                ? anyPrinter
                : countByPricing(printers.stream()
                        .filter(printer -> print.printerIds().contains(printer.id()))
                        .toList());
        Map<Pricing, Long> pricings = own.isEmpty() ? Map.of(new Pricing(null, null), 1L) : own;
        double count = pricings.values().stream().mapToDouble(Long::doubleValue).sum();
        Cost mean = Cost.NOTHING;
        for (Map.Entry<Pricing, Long> each : pricings.entrySet()) {
            mean = mean.plus(CostCalculator.calculate(print(print, each.getKey())).multipliedBy(each.getValue() / count));
        }
        return mean;
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

    private static Map<Pricing, Long> countByPricing(List<PricedPrinter> printers) {
        return printers.stream()
                .map(Pricing::of)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }
}
