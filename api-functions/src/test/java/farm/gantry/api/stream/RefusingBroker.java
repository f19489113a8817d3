package farm.gantry.api.stream;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An MQTT 5 broker that stores published messages and acknowledges each as configured. */
final class RefusingBroker implements AutoCloseable {
    /** Leaves a message without an acknowledgement. */
    static final int NO_ANSWER = -1;

    private static final int CONNECT = 1;
    private static final int PUBLISH = 3;
    private static final int PINGREQ = 12;

    private final ServerSocket server;
    private final Answers answers;
    private final List<Published> published = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();

    /** A published message, and the number of its connection. */
    record Published(int connection, String topic, String text) {}

    /** A source of bytes, from 0 to 255. */
    @FunctionalInterface
    private interface Bytes {
        int next() throws IOException;
    }

    /** Chooses the reason code of an acknowledgement; zero accepts the message. */
    @FunctionalInterface
    interface Answers {
        int reason(Published message);
    }

    RefusingBroker(Answers answers) throws IOException {
        this.server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        this.answers = answers;
        Thread.ofVirtual().start(this::accept);
    }

    URI url() {
        return URI.create("mqtt://127.0.0.1:" + server.getLocalPort());
    }

    List<Published> published() {
        return List.copyOf(published);
    }

    List<Published> published(String topic) {
        return published.stream().filter(each -> each.topic().equals(topic)).toList();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                int connection = connections.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket, connection));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket connection, int number) {
        try (Socket socket = connection) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            while (true) {
                int head = in.readUnsignedByte();
                ByteBuffer body = ByteBuffer.wrap(in.readNBytes(length(in::readUnsignedByte)));
                switch (head >> 4) {
                    case CONNECT -> out.write(new byte[] {0x20, 3, 0, 0, 0});
                    case PUBLISH -> answer(number, body, out);
                    case PINGREQ -> out.write(new byte[] {(byte) 0xd0, 0});
                    default -> {}
                }
                out.flush();
            }
        } catch (IOException e) {
            // the client has gone
        }
    }

    private void answer(int connection, ByteBuffer body, OutputStream out) throws IOException {
        byte[] topic = new byte[body.getShort()];
        body.get(topic);
        byte high = body.get();
        byte low = body.get();
        body.position(length(() -> body.get() & 0xff) + body.position()); // skips the properties
        byte[] payload = new byte[body.remaining()];
        body.get(payload);
        Published message = new Published(
                connection, new String(topic, StandardCharsets.UTF_8), new String(payload, StandardCharsets.UTF_8));
        published.add(message);
        int reason = answers.reason(message);
        if (reason != NO_ANSWER) {
            out.write(new byte[] {0x40, 4, high, low, (byte) reason, 0});
        }
    }

    /** Reads a variable-length integer of seven bits per byte, the lowest first. */
    private static int length(Bytes in) throws IOException {
        int length = 0;
        int shift = 0;
        int next;
        do {
            next = in.next();
            length |= (next & 0x7f) << shift;
            shift += 7;
        } while (next >= 0x80);
        return length;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
