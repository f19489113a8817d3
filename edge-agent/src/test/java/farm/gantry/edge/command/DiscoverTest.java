package farm.gantry.edge.command;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.Found;
import farm.gantry.printer.Printer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiscoverTest {
    private static final Found BOARD =
            new Found(Printer.Provider.sdcp, "Shelf 2", "10.0.0.7", 3030, "board1", "Centauri Carbon");
    private static final Found BAMBU = new Found(Printer.Provider.vendorA, "A", "10.0.0.9", 8883, "SERIAL1", "C12");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void printersThatAnswerInTwoWaysAreListedOnce() throws Exception {
        assertThat(discover(false, _ -> List.of(BOARD, BAMBU), _ -> List.of(BAMBU)))
                .isZero();
        assertThat(out).hasToString("""
                MAKE     NAME     ADDRESS        DEVICE ID  MODEL
                vendorA  A        10.0.0.9:8883  SERIAL1    C12
                sdcp     Shelf 2  10.0.0.7:3030  board1     Centauri Carbon
                """);
    }

    @Test
    void aProgramIsToldInJson() throws Exception {
        discover(true, _ -> List.of(BOARD));
        assertThat(out.toString().strip())
                .isEqualTo("[{\"make\":\"sdcp\",\"name\":\"Shelf 2\",\"host\":\"10.0.0.7\",\"port\":3030,"
                        + "\"deviceId\":\"board1\",\"model\":\"Centauri Carbon\"}]");
    }

    @Test
    void aWayThatCannotBeGoneIsToldAndTheOthersAreGone() throws Exception {
        Discovery closed = _ -> {
            throw new IOException("this machine is in no network");
        };
        assertThat(discover(false, closed, closed, _ -> List.of(BAMBU))).isZero();
        assertThat(err.toString()).containsOnlyOnce("in no network");
        assertThat(out.toString()).contains("SERIAL1");
    }

    @Test
    void nobodyIsToldPlainlyToo() throws Exception {
        discover(false, _ -> List.of());
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("No printer answered");
    }

    private int discover(boolean json, Discovery... ways) throws InterruptedException {
        return new Discover(List.of(ways), Duration.ofMillis(10), json)
                .run(new PrintWriter(out, true), new PrintWriter(err, true));
    }
}
