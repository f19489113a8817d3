package farm.gantry.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests how the cost of a print is computed from a store's rates. */
class CostingTest {
    private static final CostRates.Energy ENERGY = new CostRates.Energy(
            30,
            List.of(new CostRates.Window("22:00", "06:00", 10)),
            Map.of("Trident", new CostRates.Power(1000, 600, 120), "*", new CostRates.Power(0, 0, 60)));
    private static final CostRates.Labour LABOUR = new CostRates.Labour(3000, 2.0, 4.0, 6.0);

    private static PrintRates berlin(
            @Nullable Double hour, CostRates.@Nullable Energy energy, CostRates.@Nullable Labour labour) {
        return new PrintRates(new CostRates(hour, energy, labour), null, 0, "EUR", ZoneId.of("Europe/Berlin"));
    }

    private static Cost cost(PrintRates rates, String model, String from, String to, double scrap) {
        return CostCalculator.calculate(new CostedPrint(rates, model, Instant.parse(from), Instant.parse(to), 50, 0, 1, true, scrap));
    }

    @Test
    void costWithoutARateIsNotCounted() {
        Cost cost = cost(berlin(null, null, null), "Trident", "2026-03-02T10:00:00Z", "2026-03-02T12:00:00Z", 0);
        assertThat(cost).isEqualTo(new Cost(50, 0, 0, 0, 0));
    }

    @Test
    void hourlyRateFallsBackFromPrinterToStore() {
        PrintRates ofStore = berlin(20.0, null, null);
        PrintRates ofPrinter = new PrintRates(ofStore.ofStore(), 100.0, 0, "EUR", ofStore.zone());
        assertThat(cost(ofStore, "Trident", "2026-03-02T10:00:00Z", "2026-03-02T12:30:00Z", 0)
                        .machineCents())
                .isEqualTo(50);
        assertThat(cost(ofPrinter, "Trident", "2026-03-02T10:00:00Z", "2026-03-02T12:30:00Z", 0)
                        .machineCents())
                .isEqualTo(250);
    }

    @Test
    void energyCostDependsOnPhaseAndLocalHour() {
        // 21:00 to 07:00 in Berlin: 10 min at 1000 W and 50 min at 120 W by day, 8 h by night, 1 h by day
        Cost night = cost(berlin(null, ENERGY, null), "Trident", "2026-03-02T20:00:00Z", "2026-03-03T06:00:00Z", 0);
        double day = (1000 / 6.0 + 120 * 50 / 60.0 + 120) / 1000 * 30;
        assertThat(night.energyCents()).isCloseTo(day + .12 * 8 * 10, within(1e-9));
        Cost other = cost(berlin(null, ENERGY, null), "Mini", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z", 0);
        assertThat(other.energyCents()).isCloseTo(.06 * 30, within(1e-9));
        Cost summer = cost(berlin(null, ENERGY, null), "Mini", "2026-03-28T20:00:00Z", "2026-03-29T04:00:00Z", 0);
        assertThat(summer.energyCents())
                .as("the night of the clock change is 7 hours long")
                .isCloseTo(.06 * (30 + 70), within(1e-9));
    }

    @Test
    void labourCountsBedClearingFilamentChangeAndFirstPrintOfAnOrder() {
        Cost cost = cost(berlin(null, null, LABOUR), "Mini", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z", 0);
        assertThat(cost.labourCents()).isEqualTo(50.0 * (2 + 4 + 6));
    }

    @Test
    void costOfAFailedPrintIsScrapOnce() {
        Cost failed = cost(berlin(20.0, null, LABOUR), "Mini", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z", 1);
        assertThat(failed.scrapCents()).isEqualTo(50 + 20 + 600);
        assertThat(failed.totalCents()).isEqualTo(50 + 20 + 600);
    }
}
