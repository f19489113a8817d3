package farm.gantry.edge;

import farm.gantry.Id;
import farm.gantry.printer.Printer;
import farm.gantry.simulator.anycubic.AnycubicSimulator;
import farm.gantry.simulator.bambu.BambuSimulator;
import farm.gantry.simulator.elegoo.ElegooSimulator;
import farm.gantry.simulator.klipper.MoonrakerSimulator;
import farm.gantry.simulator.network.DiscoveryResponder;
import farm.gantry.simulator.octoprint.OctoPrintSimulator;
import farm.gantry.simulator.printer.SimulationSpeed;
import farm.gantry.simulator.prusalink.PrusaLinkSimulator;
import farm.gantry.simulator.prusalink.PrusaLinkSimulator.Generation;
import farm.gantry.simulator.sdcp.SdcpSimulator;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/** A simulated printer with its port, login and discovery. */
public record PrinterFixture(int port, Runnable closing, Function<String, PrinterConfig> config, Responder responder)
        implements AutoCloseable {
    public static final String DEVICE = "k1";
    public static final String KEY = "the-key";
    /** The host of the simulator. */
    public static final String HOST = "127.0.0.1";

    /** Prints the cube in seven seconds, half of which is heating, so that a slow machine observes both. */
    public static final SimulationSpeed QUICK = new SimulationSpeed(30, null);

    public static final List<Printer.Provider> MAKES = List.of(Printer.Provider.values());

    /** Starts the responder by which the printer is discovered. */
    public interface Responder {
        DiscoveryResponder start() throws IOException;
    }

    public static PrinterFixture of(Printer.Provider make, SimulationSpeed pace) {
        return of(make, pace, DEVICE);
    }

    /** Returns a simulated printer with this device ID. */
    public static PrinterFixture of(Printer.Provider make, SimulationSpeed pace, String device) {
        return switch (make) {
            case firmwareK -> firmwareK(new MoonrakerSimulator(0, pace, KEY), device);
            case vendorA -> vendorA(pace, Id.next(), device);
            case vendorB -> {
                OctoPrintSimulator simulator = new OctoPrintSimulator(0, pace, KEY);
                int port = simulator.port();
                yield new PrinterFixture(
                        port,
                        simulator::close,
                        key -> FakeApi.vendorB(device, port, key),
                        simulator::discoveryResponder);
            }
            case vendorP -> vendorP(pace, Generation.FIRMWARE, device);
            case sdcp -> {
                // Two printers with the same mainboard ID are one machine, registered twice.
                String mainboardId = device.equals(DEVICE) ? KEY : device;
                SdcpSimulator simulator = new SdcpSimulator(0, pace, mainboardId);
                int port = simulator.port();
                yield new PrinterFixture(
                        port,
                        simulator::close,
                        key -> FakeApi.sdcp(device, port, key.equals(KEY) ? mainboardId : key),
                        simulator::discoveryResponder);
            }
            case ELEGOO_MQTT -> {
                ElegooSimulator simulator = new ElegooSimulator(0, pace, device, KEY);
                int port = simulator.port();
                yield new PrinterFixture(
                        port,
                        simulator::close,
                        key -> FakeApi.elegoo(device, port, key),
                        simulator::discoveryResponder);
            }
            case anycubic -> {
                AnycubicSimulator simulator = new AnycubicSimulator(0, pace);
                int port = simulator.port();
                yield new PrinterFixture(
                        port, simulator::close, _ -> FakeApi.anycubic(device, port), simulator::discoveryResponder);
            }
        };
    }

    /** Returns a Klipper printer with a multi-material unit. */
    public static PrinterFixture firmwareK(SimulationSpeed pace, int gates) {
        return firmwareK(new MoonrakerSimulator(0, pace, KEY, gates), DEVICE);
    }

    private static PrinterFixture firmwareK(MoonrakerSimulator simulator, String device) {
        int port = simulator.port();
        return new PrinterFixture(
                port, simulator::close, key -> FakeApi.firmwareK(device, port, key), simulator::discoveryResponder);
    }

    public static PrinterFixture vendorA(SimulationSpeed pace, String serial) {
        return vendorA(pace, serial, DEVICE);
    }

    private static PrinterFixture vendorA(SimulationSpeed pace, String serial, String device) {
        BambuSimulator simulator = new BambuSimulator(0, pace, serial, KEY);
        int port = simulator.port();
        return new PrinterFixture(
                port,
                simulator::close,
                key -> FakeApi.vendorA(device, port, serial, key),
                simulator::discoveryResponder);
    }

    public static PrinterFixture vendorP(SimulationSpeed pace, Generation generation) {
        return vendorP(pace, generation, DEVICE);
    }

    private static PrinterFixture vendorP(SimulationSpeed pace, Generation generation, String device) {
        PrusaLinkSimulator simulator = new PrusaLinkSimulator(0, pace, generation, KEY);
        int port = simulator.port();
        return new PrinterFixture(
                port, simulator::close, key -> FakeApi.vendorP(device, port, key), simulator::discoveryResponder);
    }

    public PrinterConfig printer() {
        return config.apply(KEY);
    }

    /** Returns the configuration of the printer with a wrong login. */
    public PrinterConfig printerWithWrongLogin() {
        return config.apply("wrong");
    }

    public SimulatorLog log() {
        return new SimulatorLog(port);
    }

    @Override
    public void close() {
        closing.run();
    }
}
