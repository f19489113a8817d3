package farm.gantry.edge.simulator;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The port of a simulated printer that is only asked: who is on its line, what befalls it, and its time that passes. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
final class RestPort implements AutoCloseable {
    private static final Duration BLINK = Duration.ofMillis(1_500);

    private final SimulatedPrinter printer;
    private final int connections;
    private final Port port;
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();
    private final AtomicInteger mostChannels = new AtomicInteger();
    private volatile long lastPass = System.nanoTime();
    private volatile long blindUntil = System.nanoTime();
    private volatile boolean offline;

    /** Takes so many connections at one time. */
    RestPort(int number, SimulatedPrinter printer, int connections, Rest rest) {
        this.printer = printer;
        this.connections = connections;
        this.port = new Port(number, () -> new RestClient(this, rest), this::pass);
    }

    /** A make's own answers. */
    interface Rest extends Fate.Simulated {
        void answer(FullHttpRequest request, Channel channel) throws IOException, RpcFault;

        /** The field of an answer that tells in words what is wrong. */
        String faultField();
    }

    int number() {
        return port.number();
    }

    private void pass() {
        long now = System.nanoTime();
        printer.pass((now - lastPass) / 1e9);
        lastPass = now;
    }

    Map<String, Object> log() {
        Map<String, Object> log = new LinkedHashMap<>(printer.log());
        log.put("connections", mostChannels.get());
        return log;
    }

    /** What {@link SimulatedPrinter#fail} knows, and what can befall a line. */
    void fail(String kind) throws RpcFault {
        switch (kind) {
            case "disconnect" -> {
                blindUntil = System.nanoTime() + BLINK.toNanos();
                channels.forEach(Channel::close);
            }
            case "offline" -> offline = true;
            case "upload-cut" -> port.cutUpload();
            default -> printer.fail(kind);
        }
    }

    void recover() {
        offline = false;
        printer.recover();
    }

    /** Whether another connection finds a free slot. */
    boolean admits(Channel channel) {
        channels.add(channel);
        mostChannels.accumulateAndGet(channels.size(), Math::max);
        return channels.size() <= connections;
    }

    void left(Channel channel) {
        channels.remove(channel);
    }

    boolean isSilent() {
        return offline || System.nanoTime() - blindUntil < 0;
    }

    @Override
    public void close() {
        channels.forEach(Channel::close);
        port.close();
    }
}
