package farm.gantry.edge.printer.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.Id;
import farm.gantry.edge.Eventually;
import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.TranscriptListener;
import farm.gantry.edge.discovery.DiscoveredPrinter;
import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.provider.Providers;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterMetadata;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.simulator.network.DiscoveryResponder;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Printers that were registered without an address and are found by discovery. */
class PrinterAddressesTest {
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final PrinterStatus IDLE = ScriptedPrinter.reading(Status.idle, null, "");

    private final PrinterFixture fixture = PrinterFixture.of(Printer.Provider.sdcp, PrinterFixture.QUICK);
    private final PrinterConfig config = new PrinterConfig(
            Id.next(),
            PrinterFixture.DEVICE,
            "Shelf 1",
            Printer.Provider.sdcp,
            new PrinterMetadata.Sdcp(0.4, PrinterFixture.KEY, null, fixture.port()),
            null,
            null);
    private final TranscriptListener transcript = new TranscriptListener();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void machineRegisteredTwiceIsRecognizedByDifferentAddresses() {
        PrinterMetadata link = new PrinterMetadata.VendorP(0.4, "secret", null, "mk4.lan", null);
        assertSame(Printer.Provider.vendorP, link, new PrinterMetadata.VendorP(0.4, "other", 250, "MK4.lan", 80));
        assertSame(Printer.Provider.firmwareK, klipper("10.0.0.5", null, null), klipper(null, "10.0.0.5", 7125));
        assertSame(Printer.Provider.vendorA, vendorA("01S", null), vendorA("01S", "10.0.0.6"));
        PrinterMetadata octo = new PrinterMetadata.VendorB("key", "mk4.lan", 80, 0.4, null, false);
        assertThat(isSame(named("a", Printer.Provider.vendorP, link), named("b", Printer.Provider.vendorB, octo)))
                .as("a PrusaLink that is taken for the OctoPrint that it imitates")
                .isTrue();
        PrinterMetadata beside = new PrinterMetadata.VendorB("key", "mk4.lan", 5001, 0.4, null, null);
        assertThat(isSame(named("a", Printer.Provider.vendorB, octo), named("b", Printer.Provider.vendorB, beside)))
                .isFalse();
        assertThat(isSame(
                        named("a", Printer.Provider.vendorA, vendorA("01S", null)),
                        named("b", Printer.Provider.vendorA, vendorA("01T", null))))
                .isFalse();
        assertThat(isSame(named("a", Printer.Provider.sdcp, null), named("b", Printer.Provider.sdcp, null)))
                .isFalse();
        assertThat(isSame(
                        named("10.0.0.6", Printer.Provider.vendorA, null),
                        named("b", Printer.Provider.vendorA, vendorA("01S", "10.0.0.6"))))
                .as("a device id that is the address")
                .isTrue();
    }

    private static void assertSame(Printer.Provider make, PrinterMetadata one, PrinterMetadata other) {
        assertThat(isSame(named("a", make, one), named("b", make, other))).isTrue();
    }

    private static boolean isSame(PrinterConfig one, PrinterConfig other) {
        return PrinterAddresses.isSameMachine(one, other, Providers::of);
    }

    private static PrinterConfig named(String deviceId, Printer.Provider make, @Nullable PrinterMetadata metadata) {
        return new PrinterConfig(Id.next(), deviceId, deviceId, make, metadata, null, null);
    }

    private static PrinterMetadata klipper(@Nullable String serverHost, @Nullable String host, @Nullable Integer port) {
        return new PrinterMetadata.FirmwareK(1, 0.4, 7125, serverHost, null, null, null, null, null, null, host, port);
    }

    private static PrinterMetadata vendorA(String serial, @Nullable String host) {
        return new PrinterMetadata.VendorA("1", serial, "C12", "P1S", "b", 0.4, true, "IDLE", host, null);
    }

    /** The provider of the fixture with only these discovery methods. */
    private record DiscoverableProvider(Provider make, List<Discovery> discoveries) implements Provider {
        @Override
        public Printer.Provider name() {
            return make.name();
        }

        @Override
        public Set<Ability> abilities() {
            return make.abilities();
        }

        @Override
        public int port(PrinterConfig printer) {
            return make.port(printer);
        }

        @Override
        public PrinterConnection connect(PrinterConfig config, String host, Listener listener) {
            return make.connect(config, host, listener);
        }
    }

    private PrinterConnection connect(Discovery... ways) {
        Provider make = new DiscoverableProvider(Providers.of(config), List.of(ways));
        return new PrinterAddresses(SHORT, SHORT).connect(make, config, transcript);
    }

    @Test
    void printerIsDiscoveredByItsSerialNumber() throws Exception {
        try (DiscoveryResponder responder = fixture.responder().start();
                PrinterConnection _ =
                        connect(Providers.of(config).discoveries().getFirst().withTarget(responder.address()))) {
            transcript.awaitReachable();
        }
    }

    @Test
    void undiscoveredPrinterIsOfflineAndRefusesCommands() {
        try (PrinterConnection connection = connect()) {
            Eventually.until("its loss is reported", () -> !transcript.entries().isEmpty());
            assertThat(transcript.entries().getFirst())
                    .startsWith("no printer on this network reports the serial number " + PrinterFixture.KEY);
            assertThatThrownBy(connection::pause).isInstanceOf(Refusal.class).hasMessageContaining("not found");
        }
    }

    @Test
    void printerIsFoundAgainAtItsNewAddress() throws Exception {
        AtomicReference<String> host = new AtomicReference<>("127.0.0.2");
        try (DatagramSocket network = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answer(network, host));
            InetSocketAddress address = (InetSocketAddress) network.getLocalSocketAddress();
            try (PrinterConnection _ = connect(Discovery.byQuery(new byte[1], List.of(address), this::read))) {
                Eventually.until(
                        "it is not there",
                        () -> transcript.entries().stream().anyMatch(words -> words.contains("127.0.0.2")),
                        transcript::entries);
                host.set(PrinterFixture.HOST);
                transcript.awaitReachable();
            }
        }
    }

    /** Two printers exchanged their addresses while they were off. */
    @Test
    void printerIsDiscoveredAgainAfterADisconnect() throws Exception {
        AtomicReference<String> host = new AtomicReference<>("127.0.0.2");
        List<String> calls = new CopyOnWriteArrayList<>();
        List<Provider.Listener> lines = new CopyOnWriteArrayList<>();
        try (DatagramSocket network = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answer(network, host));
            InetSocketAddress address = (InetSocketAddress) network.getLocalSocketAddress();
            Provider make = new RecordingProvider(
                    new DiscoverableProvider(
                            Providers.of(config),
                            List.of(Discovery.byQuery(new byte[1], List.of(address), this::read))),
                    calls,
                    lines);
            try (PrinterConnection connection = new PrinterAddresses(SHORT, SHORT).connect(make, config, transcript)) {
                Eventually.until("it takes orders", () -> isStarted(connection, "a.gcode"));
                Provider.Listener first = lines.getFirst();
                first.onStatus(IDLE, true);
                first.onNotReady("its server has no printer");
                connection.removeFile("b.gcode");
                host.set("");
                first.onDisconnect("its line is broken");
                first.onStatus(IDLE, true);
                assertThatThrownBy(() -> connection.start("c.gcode", null, _ -> {}))
                        .isInstanceOf(Refusal.class)
                        .hasMessageContaining("offline");
                Eventually.until("its line is closed", () -> calls.contains("close 127.0.0.2"));
                host.set("127.0.0.4");
                Eventually.until("it takes orders where it is", () -> isStarted(connection, "d.gcode"));
                assertThat(transcript.entries())
                        .as("but for a look that a busy machine was too late for")
                        .filteredOn(words -> !words.startsWith("no printer on this network"))
                        .containsExactly(TranscriptListener.FIRST, "its server has no printer", "its line is broken");
            }
            assertThat(calls)
                    .containsExactly(
                            "start a.gcode at 127.0.0.2",
                            "remove b.gcode at 127.0.0.2",
                            "close 127.0.0.2",
                            "start d.gcode at 127.0.0.4",
                            "close 127.0.0.4");
        }
    }

    private static boolean isStarted(PrinterConnection connection, String file) {
        try {
            connection.start(file, null, _ -> {});
            return true;
        } catch (Refusal e) {
            return false;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A provider whose connections only record their calls. */
    private record RecordingProvider(Provider make, List<String> calls, List<Provider.Listener> lines)
            implements Provider {
        @Override
        public Printer.Provider name() {
            return make.name();
        }

        @Override
        public Set<Ability> abilities() {
            return make.abilities();
        }

        @Override
        public List<Discovery> discoveries() {
            return make.discoveries();
        }

        @Override
        public int port(PrinterConfig printer) {
            return make.port(printer);
        }

        @Override
        public PrinterConnection connect(PrinterConfig config, String host, Listener listener) {
            lines.add(listener);
            return new PrinterConnection() {
                @Override
                public void upload(Path file, String sha256, String fileName) {}

                @Override
                public void start(String fileName, Command.@Nullable Print wanted, StatusCheck check) {
                    calls.add("start " + fileName + " at " + host);
                }

                @Override
                public void control(Control control, StatusCheck check) {}

                @Override
                public void sendProviderCommand(Command.Send send) {}

                @Override
                public void removeFile(String fileName) {
                    calls.add("remove " + fileName + " at " + host);
                }

                @Override
                public void close() {
                    calls.add("close " + host);
                }
            };
        }
    }

    private Stream<DiscoveredPrinter> read(DatagramPacket packet) {
        if (packet.getLength() == 0) {
            return Stream.of(); // The printer is off.
        }
        return Stream.of(
                new DiscoveredPrinter(
                        Printer.Provider.sdcp,
                        "",
                        Discovery.text(packet),
                        fixture.port(),
                        PrinterFixture.KEY,
                        "another"),
                new DiscoveredPrinter(Printer.Provider.sdcp, "", "127.0.0.3", fixture.port(), "another", ""));
    }

    private static void answer(DatagramSocket network, AtomicReference<String> host) {
        try {
            while (true) {
                DatagramPacket question = new DatagramPacket(new byte[1], 1);
                network.receive(question);
                byte[] bytes = String.valueOf(host.get()).getBytes(StandardCharsets.UTF_8);
                network.send(new DatagramPacket(bytes, bytes.length, question.getSocketAddress()));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }
}
