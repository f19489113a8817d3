package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.printer.PrinterState.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrinterViewTest {
    private final PrinterView unreached = PrinterView.unreached(JobState.NoJob.UNSEEN);

    @Test
    void aPrintIsTakenForAPrinterThatWasNotLookedAtYet() {
        assertThat(unreached.objection()).isNull();
    }

    @Test
    void noneIsTakenForAPrinterThatIsOutOfSight() {
        assertThat(unreached.lost("it is silent").objection()).isEqualTo("the printer is offline: it is silent");
    }

    @Test
    void aPrinterInSightSpeaksForItself() {
        assertThat(unreached.with(reading(Status.idle)).objection()).isNull();
        assertThat(unreached.with(reading(Status.unknown)).objection()).isEqualTo("the printer is not ready");
    }

    private static Reading reading(Status status) {
        return new Reading(status, null, null, null, Map.of(), List.of(), List.of());
    }
}
