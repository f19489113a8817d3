package farm.gantry.edge.printer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import farm.gantry.edge.journal.NewEvent;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.printer.PrinterState.Fault;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.LinkRequest.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class NewEventsTest {
    private final NewEvents newEvents = new NewEvents("k1");

    private static PrinterStatus warning(String... messages) {
        List<Fault> warnings =
                List.of(messages).stream().map(each -> new Fault(null, each)).toList();
        return new PrinterStatus(Status.idle, null, null, null, Map.of(), List.of(), List.of(), null, warnings);
    }

    @Test
    void warningIsReportedOnceWhileItLasts() {
        assertThat(newEvents.statusEvents(warning(), warning("slow")))
                .extracting(NewEvent::kind, NewEvent::message)
                .containsExactly(tuple(Kind.printerWarning, "slow"));
        assertThat(newEvents.statusEvents(warning("slow"), warning("slow"))).isEmpty();
        assertThat(newEvents.statusEvents(warning("slow"), warning("slow", "dusty")))
                .extracting(NewEvent::message)
                .containsExactly("dusty");
        assertThat(newEvents.statusEvents(null, warning("slow")))
                .extracting(NewEvent::kind)
                .containsExactly(Kind.printerOnline, Kind.printerWarning);
    }
}
