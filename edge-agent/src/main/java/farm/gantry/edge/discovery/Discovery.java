package farm.gantry.edge.discovery;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Discovers one provider's printers on the local network: sends a query every second and collects the responses. */
public final class Discovery {
    private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);
    private static final int MAX_SIZE = 1 << 16;
    private static final String EVERYBODY = "255.255.255.255";

    private final byte[] question;
    private final List<InetSocketAddress> targets;
    private final int port;
    private final ResponseParser reader;

    private Discovery(byte[] question, List<InetSocketAddress> to, int port, ResponseParser reader) {
        this.question = question;
        this.targets = to;
        this.port = port;
        this.reader = reader;
    }

    /** Returns a discovery by query; multicast and broadcast addresses are queried in every network of this machine. */
    public static Discovery byQuery(byte[] question, List<InetSocketAddress> to, ResponseParser reader) {
        return new Discovery(question, to, 0, reader);
    }

    /** Returns a discovery that sends nothing and receives at this port what printers announce by themselves. */
    public static Discovery byAnnouncement(int port, ResponseParser reader) {
        return new Discovery(new byte[0], List.of(), port, reader);
    }

    /** Parses a received packet; empty if it is not from one of the provider's printers. */
    public interface ResponseParser {
        Stream<DiscoveredPrinter> parse(DatagramPacket answer) throws IOException;
    }

    /** Decodes a response that is text. */
    public static String text(DatagramPacket answer) {
        return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8);
    }

    /** Returns a discovery that sends the query to this address alone. */
    public Discovery withTarget(InetSocketAddress one) {
        return byQuery(question, List.of(one), reader);
    }

    /** Returns the printers that answer within this time, without duplicates. */
    public List<DiscoveredPrinter> findPrinters(Duration timeout) throws IOException {
        Set<DiscoveredPrinter> found = new LinkedHashSet<>();
        long end = System.nanoTime() + timeout.toNanos();
        try (DatagramSocket socket = open()) {
            while (end - System.nanoTime() > 0) {
                send(socket);
                receiveUntil(socket, Math.min(end, System.nanoTime() + RETRY_INTERVAL.toNanos()), found);
            }
        }
        return List.copyOf(found);
    }

    private DatagramSocket open() throws IOException {
        DatagramSocket socket = new DatagramSocket(null);
        socket.setReuseAddress(true);
        socket.setBroadcast(true);
        socket.bind(new InetSocketAddress(port));
        return socket;
    }

    private void receiveUntil(DatagramSocket socket, long until, Set<DiscoveredPrinter> found) throws IOException {
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            socket.setSoTimeout((int) Math.max(1, Duration.ofNanos(left).toMillis()));
            DatagramPacket answer = new DatagramPacket(new byte[MAX_SIZE], MAX_SIZE);
            try {
                socket.receive(answer);
                reader.parse(answer).forEach(found::add);
            } catch (SocketTimeoutException e) {
                return;
            } catch (IOException | RuntimeException e) {
                LOG.debug(
                        "ignoring a response of {} that cannot be parsed: {}",
                        answer.getSocketAddress(),
                        e.getMessage());
            }
        }
    }

    /** Fails only if no network can be reached. */
    private void send(DatagramSocket socket) throws IOException {
        IOException fault = null;
        boolean sent = targets.isEmpty();
        for (InetSocketAddress address : targets) {
            try {
                sent |= send(socket, address);
            } catch (IOException e) {
                fault = e;
            }
        }
        if (!sent) {
            throw Objects.requireNonNullElseGet(fault, () -> new IOException("this machine has no network connection"));
        }
    }

    private boolean send(DatagramSocket socket, InetSocketAddress address) throws IOException {
        boolean everybody = EVERYBODY.equals(address.getAddress().getHostAddress());
        if (!everybody && !address.getAddress().isMulticastAddress()) {
            socket.send(new DatagramPacket(question, question.length, address));
            return true;
        }
        boolean sent = false;
        for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
            if (network.isUp() && !network.isLoopback()) {
                sent |= everybody ? broadcast(socket, network, address.getPort()) : multicast(socket, network, address);
            }
        }
        return sent;
    }

    private boolean broadcast(DatagramSocket socket, NetworkInterface network, int number) throws IOException {
        boolean sent = false;
        for (InterfaceAddress own : network.getInterfaceAddresses()) {
            InetAddress all = own.getBroadcast();
            if (all != null) {
                socket.send(new DatagramPacket(question, question.length, all, number));
                sent = true;
            }
        }
        return sent;
    }

    private boolean multicast(DatagramSocket socket, NetworkInterface network, InetSocketAddress address)
            throws IOException {
        if (!network.supportsMulticast()) {
            return false;
        }
        socket.setOption(StandardSocketOptions.IP_MULTICAST_IF, network);
        socket.send(new DatagramPacket(question, question.length, address));
        return true;
    }
}
