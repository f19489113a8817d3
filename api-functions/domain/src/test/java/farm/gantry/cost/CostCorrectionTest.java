package farm.gantry.cost;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.SelfValidating;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests which rates a correction replaces, and for which prints. */
class CostCorrectionTest {
    private static final Instant FROM = Instant.parse("2026-03-01T00:00:00Z");
    private static final Instant TO = Instant.parse("2026-04-01T00:00:00Z");
    private static final CostRates.Labour LABOUR = new CostRates.Labour(3000, 2.0, null, null);
    private static final PrintRates RATES =
            new PrintRates(new CostRates(20.0, null, LABOUR), 100.0, 2000, "EUR", ZoneOffset.UTC);

    private static CostCorrection correction(@Nullable String printerId, @Nullable Double pricePer1000g) {
        CostRates hour = new CostRates(50.0, null, null);
        return new CostCorrection(
                "id",
                "store",
                TO,
                TO,
                FROM,
                TO,
                printerId,
                hour,
                null,
                pricePer1000g,
                null,
                "the rate of February was kept");
    }

    @Test
    void correctionForAllPrintersReplacesOnlyItsRateOfTheStore() {
        assertThat(correction(null, null).applyTo(RATES, "p", FROM))
                .isEqualTo(new PrintRates(new CostRates(50.0, null, LABOUR), 100.0, 2000, "EUR", ZoneOffset.UTC));
    }

    @Test
    void correctionOfAPrinterReplacesItsOwnRate() {
        PrintRates corrected = correction("p", 2500.0).applyTo(RATES, "p", FROM);
        assertThat(corrected.hourlyCents()).isEqualTo(50);
        assertThat(corrected.pricePer1000g()).isEqualTo(2500);
        assertThat(correction("q", 2500.0).applyTo(RATES, "p", FROM)).isEqualTo(RATES);
    }

    @Test
    void correctionOfASpoolKeepsThePriceOfFilamentFromNoSpool() {
        CostCorrection ofSpool = new CostCorrection(
                "id", "store", TO, TO, FROM, TO, null, null, "spool", 2500.0, "CHF", "wrong invoice");
        PrintRates corrected = ofSpool.applyTo(RATES, "p", FROM);
        assertThat(corrected.pricePer1000g()).isEqualTo(RATES.pricePer1000g());
        assertThat(corrected.currency()).isEqualTo("CHF");
        assertThat(ofSpool.faults()).isEmpty();
    }

    @Test
    void correctionOfASpoolNeedsAPrice() {
        CostCorrection ofSpool =
                new CostCorrection("id", "store", TO, TO, FROM, TO, null, null, "spool", null, null, "wrong invoice");
        assertThat(ofSpool.faults()).extracting(SelfValidating.Fault::component).containsExactly("pricePer1000g");
    }

    @Test
    void correctionAppliesToPrintsThatEndedInItsPeriod() {
        assertThat(correction("p", 2500.0).applyTo(RATES, "p", TO)).isEqualTo(RATES);
        assertThat(correction("p", 2500.0).applyTo(RATES, "p", FROM.minusMillis(1)))
                .isEqualTo(RATES);
    }
}
