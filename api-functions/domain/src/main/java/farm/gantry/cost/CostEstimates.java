package farm.gantry.cost;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the cost of planned prints at today's rates. The estimate assumes that the print starts now, takes the estimated time and
 * filament, needs no spool change and succeeds. If a print has no printer yet, it is the mean over the printers that could print it.
 */
public final class CostEstimates {
    private final PrintRates rates;
    private final List<PricedPrinter> printers;
    private final Map<Pricing, Long> anyPrinter;
    private final Instant now;

    /** A printer and its price; {@code hourCents} is its own hourly rate, null if it uses the store's. */
    public record PricedPrinter(
            String id, @Nullable String modelName, @Nullable Double hourCents, boolean isEnabled) {}

    /** A print that has not ended; {@code printerIds} are the printers that could print it, empty for all enabled printers. */
    public record PlannedPrint(List<String> printerIds, double seconds, double filamentCents, boolean opensOrder) {}

    /** The properties of a printer that determine its cost. Printers with equal properties are estimated once. */
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
        this.anyPrinter = countByPricing(
                this.printers.stream().filter(PricedPrinter::isEnabled).toList());
    }

    public String currency() {
        return rates.currency();
    }

    /** Returns today's rates of each kind of printer, or those of the store if it has no printer. */
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
            mean = mean.plus(
                    CostCalculator.calculate(print(print, each.getKey())).multipliedBy(each.getValue() / count));
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
