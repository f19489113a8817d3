package farm.gantry.cost;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.RecordBuilder;
import farm.gantry.part.PrintTags;
import farm.gantry.printer.Printer;
import farm.gantry.schedule.SchedulingFixtures;
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
    private static final PrintTags ANY = new PrintTags(null, null, null, null, null, null);
    private static final Printer OWN_RATE = printer("own", "Trident", 100.0, true);
    private static final Printer STORE_RATE = printer("store", "Mini", null, true);
    private static final Printer DISABLED = printer("off", "Mini", 9999.0, false);

    private static Printer printer(String id, String modelName, @Nullable Double hourCents, boolean isEnabled) {
        return RecordBuilder.copyOf(SchedulingFixtures.unready(id).printer())
                .with("modelName", modelName)
                .with("hourlyRate", hourCents)
                .with("enabled", isEnabled)
                .build();
    }

    private static PrintRates rates(@Nullable Double hourCents) {
        return new PrintRates(RATES, hourCents, 0, "EUR", ZoneId.of("Europe/Berlin"));
    }

    private static Cost estimate(List<Printer> printers, @Nullable String assignedTo, PrintTags tags) {
        return new CostEstimates(rates(null), printers, NOW)
                .estimate(new CostEstimates.PlannedPrint(new CostEstimates.Place(assignedTo, tags), 7200, 42, true));
    }

    private static PrintTags pinnedTo(String rule) {
        return new PrintTags(null, rule, null, null, null, null);
    }

    private static Cost cost(Printer printer) {
        return CostCalculator.calculate(new CostedPrint(
                rates(printer.hourlyRate()), printer.modelName(), NOW, NOW.plusSeconds(7200), 42, 0, 0, true, 0));
    }

    @Test
    void estimateEqualsCostWhenThePrinterIsGiven() {
        List<Printer> printers = List.of(OWN_RATE, STORE_RATE, DISABLED);
        for (Printer printer : printers) {
            assertThat(estimate(printers, printer.id(), ANY)).isEqualTo(cost(printer));
            assertThat(estimate(printers, null, pinnedTo(printer.id()))).isEqualTo(cost(printer));
        }
        assertThat(estimate(printers, "own", pinnedTo("store"))).isEqualTo(cost(OWN_RATE));
    }

    @Test
    void estimateIsMeanOfThePrintersThatTheTagsAllow() {
        List<Printer> printers = List.of(OWN_RATE, STORE_RATE, DISABLED);
        double mean = (cost(OWN_RATE).totalCents() + cost(STORE_RATE).totalCents()) / 2;
        assertThat(estimate(printers, null, ANY).totalCents()).isEqualTo(mean);
        assertThat(estimate(printers, null, pinnedTo("|=own,store,off")).totalCents())
                .isEqualTo(mean);
        assertThat(estimate(printers, null, new PrintTags(null, null, "Mini", null, null, null)))
                .isEqualTo(cost(STORE_RATE));
        assertThat(estimate(List.of(OWN_RATE, OWN_RATE), null, ANY)).isEqualTo(cost(OWN_RATE));
    }

    @Test
    void estimateUsesStoreRateWithoutPrinters() {
        assertThat(estimate(List.of(), null, ANY).machineCents()).isEqualTo(40);
        assertThat(estimate(List.of(), null, ANY).labourCents()).isEqualTo(50.0 * (2 + 6));
    }
}
