package farm.gantry.api;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Connections that send a byte of a head or of a body each second, and begin again whenever they are closed. */
final class SlowConnections implements AutoCloseable {
    /** Another of this machine than that of the callers that are measured. */
    private static final String FROM = "127.0.0.2";

    private static final byte[] HEAD = Client.utf8("GET /v1/parts HTTP/1.1\r\nhost: farm\r\nx-slow: ");
    private static final byte[] BODY = Client.utf8("""
            POST /v1/agents/pair HTTP/1.1\r
            host: farm\r
            content-type: application/json\r
            content-length: 4000\r
            \r
            """);

    /** They take turns, so that not all send at one moment. */
    private static final int TURNS = 50;

    private final InetSocketAddress server;
    private final List<SocketChannel> channels = new ArrayList<>();
    private int turn;
    private final AtomicInteger begun = new AtomicInteger();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    SlowConnections(URI server, int count) throws IOException {
        this.server = new InetSocketAddress(server.getHost(), server.getPort());
        for (int i = 0; i < count; i++) {
            channels.add(begin(i));
        }
        var _ = clock.scheduleAtFixedRate(this::send, 0, 1000 / TURNS, TimeUnit.MILLISECONDS);
    }

    private SocketChannel begin(int number) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.bind(new InetSocketAddress(FROM, 0));
        channel.connect(server);
        channel.configureBlocking(false);
        channel.write(ByteBuffer.wrap(number % 2 == 0 ? HEAD : BODY));
        begun.incrementAndGet();
        return channel;
    }

    private void send() {
        for (int i = turn++ % TURNS; i < channels.size(); i += TURNS) {
            try {
                SocketChannel channel = channels.get(i);
                if (isOpen(channel)) {
                    channel.write(ByteBuffer.wrap(new byte[] {'a'}));
                } else {
                    channel.close();
                    channels.set(i, begin(i));
                }
            } catch (IOException closed) {
                // begun again in a second
            }
        }
    }

    /** Reads what the server says before it closes. */
    private static boolean isOpen(SocketChannel channel) {
        try {
            int count = channel.isOpen() ? 1 : -1;
            while (count > 0) {
                count = channel.read(ByteBuffer.allocate(1024));
            }
            return count == 0;
        } catch (IOException reset) {
            return false;
        }
    }

    /** How many were begun in all. */
    int begun() {
        return begun.get();
    }

    /** How many are open so many seconds after the last byte was sent. */
    long openAfter(int seconds) throws InterruptedException {
        clock.shutdown();
        clock.awaitTermination(5, TimeUnit.SECONDS);
        TimeUnit.SECONDS.sleep(seconds);
        return channels.stream().filter(SlowConnections::isOpen).count();
    }

    @Override
    public void close() throws IOException {
        clock.shutdownNow();
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }
}
