package farm.gantry.simulator.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Answers discovery datagrams on a loopback port, as a printer does. */
public final class DiscoveryResponder implements AutoCloseable {
    private static final int MAX_SIZE = 1 << 16;

    private final DatagramSocket socket;
    private final Reply reply;

    private DiscoveryResponder(DatagramSocket socket, Reply reply) {
        this.socket = socket;
        this.reply = reply;
    }

    /** Creates the reply to a datagram; empty without one. */
    public interface Reply {
        byte[] replyTo(byte[] question) throws IOException;

        /** Returns the text for requests that contain the word. */
        static Reply whenContains(String word, String reply) {
            return question -> new String(question, StandardCharsets.UTF_8).contains(word) ? bytes(reply) : new byte[0];
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }

    public static DiscoveryResponder start(Reply reply) throws IOException {
        DiscoveryResponder discoveryResponder =
                new DiscoveryResponder(new DatagramSocket(0, InetAddress.getLoopbackAddress()), reply);
        Thread.ofVirtual().start(discoveryResponder::run);
        return discoveryResponder;
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    /** Sends an unsolicited text. */
    public void announce(String text, InetSocketAddress to) throws IOException {
        byte[] reply = text.getBytes(StandardCharsets.UTF_8);
        socket.send(new DatagramPacket(reply, reply.length, to));
    }

    private void run() {
        try {
            while (true) {
                DatagramPacket question = new DatagramPacket(new byte[MAX_SIZE], MAX_SIZE);
                socket.receive(question);
                byte[] reply = replyTo(Arrays.copyOf(question.getData(), question.getLength()));
                if (reply.length > 0) {
                    socket.send(new DatagramPacket(reply, reply.length, question.getSocketAddress()));
                }
            }
        } catch (IOException e) {
            if (!socket.isClosed()) {
                throw new UncheckedIOException("the simulated printer no longer answers discovery", e);
            }
        }
    }

    /** Returns no reply to a malformed datagram, because every datagram on a network arrives here. */
    private byte[] replyTo(byte[] question) {
        try {
            return reply.replyTo(question);
        } catch (IOException e) {
            return new byte[0];
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
