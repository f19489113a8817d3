package farm.gantry.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares the estimated cost of prints with their final cost. */
class CostEstimatesTest {
    private static final Instant NOW = Instant.parse("2026-03-02T20:30:00Z");
    private static final CostRates RATES = new CostRates(
            20.0,
            new CostRates.Energy(
                    30,
                    List.of(new CostRates.Window("22:00", "06:00", 10)),
                    Map.of("Trident", new CostRates.Power(1000, 600, 120), "Mini", new CostRates.Power(100, 60, 50))),
            new CostRates.Labour(3000, 2.0, 4.0, 6.0));
    private static final CostEstimates.PricedPrinter OWN_RATE =
            new CostEstimates.PricedPrinter("own", "Trident", 100.0, true);
    private static final CostEstimates.PricedPrinter STORE_RATE =
            new CostEstimates.PricedPrinter("store", "Mini", null, true);
    private static final CostEstimates.PricedPrinter DISABLED =
            new CostEstimates.PricedPrinter("off", "Mini", 9999.0, false);

    private static PrintRates rates(@Nullable Double hourCents) {
        return new PrintRates(RATES, hourCents, 0, "EUR", ZoneId.of("Europe/Berlin"));
    }

    private static Cost estimate(List<CostEstimates.PricedPrinter> printers, String... pinnedTo) {
        return new CostEstimates(rates(null), printers, NOW)
                .estimate(new CostEstimates.PlannedPrint(List.of(pinnedTo), 7200, 42, true));
    }

    private static Cost cost(CostEstimates.PricedPrinter printer) {
        return CostCalculator.calculate(new CostedPrint(
                rates(printer.hourCents()), printer.modelName(), NOW, NOW.plusSeconds(7200), 42, 0, 0, true, 0));
    }

    @Test
    void estimateEqualsCostWhenThePrinterIsGiven() {
        List<CostEstimates.PricedPrinter> printers = List.of(OWN_RATE, STORE_RATE, DISABLED);
        assertThat(estimate(printers, "own")).isEqualTo(cost(OWN_RATE));
        assertThat(estimate(printers, "store")).isEqualTo(cost(STORE_RATE));
        assertThat(estimate(printers, "off")).isEqualTo(cost(DISABLED));
    }

    @Test
    void estimateIsMeanOfEnabledPrintersWhenAnyPrinterMayBeUsed() {
        Cost mean = estimate(List.of(OWN_RATE, STORE_RATE, DISABLED));
        assertThat(mean.totalCents())
                .isEqualTo((cost(OWN_RATE).totalCents() + cost(STORE_RATE).totalCents()) / 2);
        assertThat(estimate(List.of(OWN_RATE, OWN_RATE))).isEqualTo(cost(OWN_RATE));
    }

    @Test
    void estimateUsesStoreRateWithoutPrinters() {
        assertThat(estimate(List.of()).machineCents()).isEqualTo(40);
        assertThat(estimate(List.of()).labourCents()).isEqualTo(50.0 * (2 + 6));
    }
}
