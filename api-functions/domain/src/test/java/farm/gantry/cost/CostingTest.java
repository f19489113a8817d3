package farm.gantry.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What prints cost at a store's rates. */
class CostingTest {
    private static final CostRates.Energy ENERGY = new CostRates.Energy(
            30,
            List.of(new CostRates.Window("22:00", "06:00", 10)),
            Map.of("Trident", new CostRates.Power(1000, 600, 120), "*", new CostRates.Power(0, 0, 60)));
    private static final CostRates.Labour LABOUR = new CostRates.Labour(3000, 2.0, 4.0, 6.0);

    private static Costing berlin(
            @Nullable Double hour, CostRates.@Nullable Energy energy, CostRates.@Nullable Labour labour) {
        return new Costing(new CostRates(hour, energy, labour), ZoneId.of("Europe/Berlin"));
    }

    private static Print print(String model, String from, String to, double scrap) {
        return new Print(model, null, Instant.parse(from), Instant.parse(to), 50, 1, true, scrap);
    }

    @Test
    void whatAStoreHasNoRateForIsNotCounted() {
        Cost cost = berlin(null, null, null).of(print("Trident", "2026-03-02T10:00:00Z", "2026-03-02T12:00:00Z", 0));
        assertThat(cost).isEqualTo(new Cost(50, 0, 0, 0, 0));
    }

    @Test
    void hoursAreThePrintersOwnOrTheStores() {
        Print ofStore = print("Trident", "2026-03-02T10:00:00Z", "2026-03-02T12:30:00Z", 0);
        assertThat(berlin(20.0, null, null).of(ofStore).machineCents()).isEqualTo(50);
        Print own = new Print("Trident", 100.0, ofStore.startedAt(), ofStore.endedAt(), 0, 0, false, 0);
        assertThat(berlin(20.0, null, null).of(own).machineCents()).isEqualTo(250);
    }

    @Test
    void energyIsByPhaseAndByTheHourOfTheStoresDay() {
        // 21:00 to 07:00 in Berlin: 10 min at 1000 W and 50 min at 120 W by day, 8 h by night, 1 h by day
        Cost night = berlin(null, ENERGY, null).of(print("Trident", "2026-03-02T20:00:00Z", "2026-03-03T06:00:00Z", 0));
        double day = (1000 / 6.0 + 120 * 50 / 60.0 + 120) / 1000 * 30;
        assertThat(night.energyCents()).isCloseTo(day + .12 * 8 * 10, within(1e-9));
        Cost other = berlin(null, ENERGY, null).of(print("Mini", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z", 0));
        assertThat(other.energyCents()).isCloseTo(.06 * 30, within(1e-9));
        Cost summer = berlin(null, ENERGY, null).of(print("Mini", "2026-03-28T20:00:00Z", "2026-03-29T04:00:00Z", 0));
        assertThat(summer.energyCents())
                .as("the night of the clock change is 7 hours long")
                .isCloseTo(.06 * (30 + 70), within(1e-9));
    }

    @Test
    void labourIsABedAChangeAndTheFirstPrintOfAnOrder() {
        Cost cost = berlin(null, null, LABOUR).of(print("Mini", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z", 0));
        assertThat(cost.labourCents()).isEqualTo(50.0 * (2 + 4 + 6));
        assertThat(berlin(10.0, null, LABOUR).estimate(3, 7200, 1).labourCents())
                .isEqualTo(50.0 * (3 * 2 + 6));
        assertThat(berlin(10.0, null, LABOUR).estimate(3, 7200, 1).machineCents())
                .isEqualTo(20);
    }

    @Test
    void allThatAFailedPrintCostIsScrapAndCountsOnce() {
        Cost failed = berlin(20.0, null, LABOUR).of(print("Mini", "2026-03-02T10:00:00Z", "2026-03-02T11:00:00Z", 1));
        assertThat(failed.scrapCents()).isEqualTo(50 + 20 + 600);
        assertThat(failed.totalCents()).isEqualTo(50 + 20 + 600);
    }
}
