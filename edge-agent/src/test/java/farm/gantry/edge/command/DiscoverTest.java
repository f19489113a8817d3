package farm.gantry.edge.command;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.Bench;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.provider.Providers;
import farm.gantry.edge.simulator.Beacon;
import farm.gantry.printer.Printer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DiscoverTest {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void printersThatAnswerInTwoWaysAreListedOnce() throws Exception {
        try (Bench elegoo = Bench.of(Printer.Provider.ELEGOO_MQTT, Bench.QUICK);
                Bench sdcp = Bench.of(Printer.Provider.sdcp, Bench.QUICK);
                Beacon one = elegoo.lamp().light();
                Beacon other = sdcp.lamp().light()) {
            Discovery asked = way(elegoo, one.address());
            assertThat(discover(false, asked, way(sdcp, other.address()), asked))
                    .isZero();
        }
        assertThat(out).hasToString("""
                MAKE         NAME       ADDRESS         DEVICE ID  MODEL
                sdcp         Simulated  127.0.0.1:3030  the-key    Centauri Carbon
                elegoo-mqtt  Simulated  127.0.0.1:1883  k1         Centauri Carbon 2
                """);
    }

    @Test
    void aProgramIsToldInJson() throws Exception {
        try (Bench sdcp = Bench.of(Printer.Provider.sdcp, Bench.QUICK);
                Beacon beacon = sdcp.lamp().light()) {
            discover(true, way(sdcp, beacon.address()));
        }
        assertThat(out.toString().strip())
                .isEqualTo("[{\"make\":\"sdcp\",\"name\":\"Simulated\",\"host\":\"127.0.0.1\",\"port\":3030,"
                        + "\"deviceId\":\"the-key\",\"model\":\"Centauri Carbon\"}]");
    }

    @Test
    void aWayThatCannotBeGoneIsToldOnceAndTheOthersAreGone() throws Exception {
        InetSocketAddress nowhere = new InetSocketAddress("0.0.0.0", 0);
        try (Bench sdcp = Bench.of(Printer.Provider.sdcp, Bench.QUICK);
                Beacon beacon = sdcp.lamp().light()) {
            assertThat(discover(false, way(sdcp, nowhere), way(sdcp, beacon.address()), way(sdcp, nowhere)))
                    .isZero();
        }
        assertThat(err.toString()).containsOnlyOnce("Not everything could be looked for");
        assertThat(out.toString()).contains("Centauri Carbon");
    }

    @Test
    void nobodyIsToldPlainlyToo() throws Exception {
        assertThat(discover(false)).isZero();
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("No printer answered");
    }

    private static Discovery way(Bench bench, InetSocketAddress to) {
        return Providers.of(bench.printer()).discoveries().getFirst().to(to);
    }

    private int discover(boolean json, Discovery... ways) throws InterruptedException {
        return new Discover(Stream.of(ways).toList(), PATIENCE, json)
                .run(new PrintWriter(out, true), new PrintWriter(err, true));
    }
}
