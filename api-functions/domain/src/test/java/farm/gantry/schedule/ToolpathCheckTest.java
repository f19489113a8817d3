package farm.gantry.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.part.PrintTags;
import farm.gantry.part.Toolpath;
import farm.gantry.printer.PrinterModelCatalog;
import farm.gantry.printer.PrintableArea;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolpathCheckTest {
    private static final Candidate CORNER = SchedulingFixtures.withArea("corner", new PrintableArea(0, 0, 225, 225));
    private static final Candidate CENTER =
            SchedulingFixtures.withArea("center", new PrintableArea(-112.5, -112.5, 112.5, 112.5));
    private static final Candidate UNKNOWN_ORIGIN = SchedulingFixtures.withBed("unknown", 225, 225, 250);
    private static final Candidate UNKNOWN_BED = SchedulingFixtures.printer("no profile", 0);

    @ParameterizedTest
    @CsvSource({
        "100, 110, true, true, true",
        "300, 309, false, false, false",
        "-60, -51, false, true, true",
        "200, 215, true, false, true",
        "-300, -291, false, false, false",
        "-3, 100, true, true, true",
    })
    void gcodeThatPrintsBeyondTheBedIsRejected(
            double minX, double maxX, boolean onCorner, boolean onCenter, boolean onUnknownOrigin) {
        Requirement job = job(new Toolpath(minX, 50.0, maxX, 60.0, 200.0, 60.0, true));
        assertThat(suits(job, CORNER)).isEqualTo(onCorner);
        assertThat(suits(job, CENTER)).isEqualTo(onCenter);
        assertThat(suits(job, UNKNOWN_ORIGIN)).isEqualTo(onUnknownOrigin);
        assertThat(suits(job, UNKNOWN_BED)).isTrue();
    }

    @Test
    void gcodeIsRejectedWhenHotterThanThePrinterAllows() {
        Candidate hot = SchedulingFixtures.withCapability(
                "hot", Map.of("nozzles", List.of(Map.of("ref", "nozzle0", "kind", "nozzle", "maxTemperature", 500))));
        assertThat(suits(job(temperatures(450.0, null)), CORNER)).isFalse();
        assertThat(suits(job(temperatures(450.0, null)), hot)).isTrue();
        assertThat(suits(job(temperatures(501.0, null)), hot)).isFalse();
        assertThat(suits(job(temperatures(300.0, 151.0)), CORNER)).isFalse();
        assertThat(suits(job(temperatures(350.0, 150.0)), CORNER)).isTrue();
    }

    @Test
    void gcodeIsRejectedWhenItExtrudesNothing() {
        assertThat(suits(job(new Toolpath(null, null, null, null, null, null, false)), UNKNOWN_BED))
                .isFalse();
    }

    @Test
    void checksAreSkippedForANamedPrinterWhenTheStoreAllowsIt() {
        Toolpath milling = new Toolpath(300.0, 300.0, 309.0, 309.0, 450.0, null, false);
        Requirement named =
                SchedulingFixtures.ofToolpath(milling, new PrintTags(null, "corner", null, null, null, null));
        JobMatcher overriding =
                new JobMatcher(Map.of(), PrinterModelCatalog.BUILT_IN, false, false, false, false, true, false, false);
        assertThat(suits(named, CORNER)).isFalse();
        assertThat(overriding.canPrint(named, CORNER)).isTrue();
        assertThat(overriding.canPrint(job(milling), CORNER)).isFalse();
    }

    private static Requirement job(Toolpath toolpath) {
        return SchedulingFixtures.ofToolpath(toolpath, SchedulingFixtures.NO_TAGS);
    }

    private static Toolpath temperatures(@Nullable Double nozzle, @Nullable Double bed) {
        return new Toolpath(10.0, 10.0, 20.0, 20.0, nozzle, bed, true);
    }

    private static boolean suits(Requirement job, Candidate candidate) {
        return SchedulingFixtures.RULES.canPrint(job, candidate);
    }
}
