package farm.gantry.edge.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.printer.connection.PrinterConnection.Control;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.PrinterState.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrinterSessionTest {
    private static final PrinterStatus PRINTING = new PrinterStatus(
            Status.printing,
            null,
            null,
            new PrinterStatus.File("cube.gcode", 10, null, null, null, null, null),
            Map.of(),
            List.of(),
            List.of());

    private final PrinterSession session = new PrinterSession(PrinterSession::requireStatus, new Provider.Listener() {
        @Override
        public void onStatus(PrinterStatus reading, boolean afterGap) {}

        @Override
        public void onDisconnect(String reason) {}
    });

    @Test
    void refusedCancelDoesNotMarkThePrintAsStopping() throws Exception {
        session.onStatus(PRINTING);
        assertThatThrownBy(() -> session.control(Control.CANCEL, _ -> {}, _ -> {
                    throw Refusal.byPrinter("not now");
                }))
                .isInstanceOf(Refusal.class);
        assertThat(session.isStopping()).isFalse();
        session.control(Control.CANCEL, _ -> {}, _ -> {});
        assertThat(session.isStopping()).isTrue();
        assertThatThrownBy(() -> session.control(Control.PAUSE, _ -> {}, _ -> {
                    throw Refusal.byPrinter("not now");
                }))
                .isInstanceOf(Refusal.class);
        assertThat(session.isStopping()).isTrue();
    }
}
