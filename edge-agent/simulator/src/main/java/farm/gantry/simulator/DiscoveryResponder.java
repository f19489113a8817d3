package farm.gantry.simulator;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Answers datagrams on this machine, as a printer does to whoever looks for one. */
public final class DiscoveryResponder implements AutoCloseable {
    private static final int LARGEST = 1 << 16;

    private final DatagramSocket socket;
    private final Answer answer;

    private DiscoveryResponder(DatagramSocket socket, Answer answer) {
        this.socket = socket;
        this.answer = answer;
    }

    /** What a simulated printer says; empty where it is not meant. */
    interface Answer {
        byte[] to(byte[] question) throws IOException;

        /** To one word, or to whatever has it in it. */
        static Answer toWord(String word, String said) {
            return question -> new String(question, StandardCharsets.UTF_8).contains(word) ? bytes(said) : new byte[0];
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }

    static DiscoveryResponder light(Answer answer) throws IOException {
        DiscoveryResponder beacon =
                new DiscoveryResponder(new DatagramSocket(0, InetAddress.getLoopbackAddress()), answer);
        Thread.ofVirtual().start(beacon::shine);
        return beacon;
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    /** Says it by itself. */
    public void say(String text, InetSocketAddress to) throws IOException {
        byte[] said = text.getBytes(StandardCharsets.UTF_8);
        socket.send(new DatagramPacket(said, said.length, to));
    }

    private void shine() {
        try {
            while (true) {
                DatagramPacket question = new DatagramPacket(new byte[LARGEST], LARGEST);
                socket.receive(question);
                byte[] said = answer.to(Arrays.copyOf(question.getData(), question.getLength()));
                if (said.length > 0) {
                    socket.send(new DatagramPacket(said, said.length, question.getSocketAddress()));
                }
            }
        } catch (IOException e) {
            // Closed: the printer is gone.
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
