package farm.gantry.simulator;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The port of a simulated printer that is only asked: who is on its line, what befalls it, and its time that passes. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
final class RestServer implements AutoCloseable {
    static final String HEARD = "heard";
    static final String FALLS_UNHEARD = "falls-unheard";
    static final String FALLS_UNANSWERED = "falls-unanswered";

    /** Whoever asks hears of a broken line twice, with three more tries each. */
    private static final int BLINK = 8;

    private final SimulatedPrinter printer;
    private final int connections;
    private final HttpListener port;
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();
    private final AtomicInteger mostChannels = new AtomicInteger();
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger toTurnAway = new AtomicInteger();
    private volatile long lastPass = System.nanoTime();
    private volatile boolean offline;
    private volatile boolean silent;
    private volatile boolean stalling;
    private final Queue<String> ahead = new ConcurrentLinkedQueue<>();

    /** Takes so many connections at one time. */
    RestServer(int number, SimulatedPrinter printer, int connections, Rest rest) {
        this.printer = printer;
        this.connections = connections;
        this.port = new HttpListener(number, rest::admit, () -> new RestConnection(this, rest), this::pass);
    }

    /** A make's own answers. */
    interface Rest extends FaultInjection.Simulated {
        /** May put something between the line and HTTP. */
        default void admit(ChannelPipeline pipeline) {}

        void answer(FullHttpRequest request, Channel channel) throws IOException, RpcException;

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
        log.put("opened", opened.get());
        return log;
    }

    /** What {@link SimulatedPrinter#fail} knows, and what can befall a line, or its next exchanges one by one. */
    void fail(String kind) throws RpcException {
        switch (kind) {
            case "disconnect" -> {
                toTurnAway.set(BLINK);
                hangUp();
            }
            case "offline" -> offline = true;
            case "silent" -> silent = true;
            case "stalling" -> stalling = true;
            case HEARD, FALLS_UNHEARD, FALLS_UNANSWERED -> ahead.add(kind);
            case "upload-cut" -> port.cutUpload();
            default -> printer.fail(kind);
        }
    }

    void hangUp() {
        channels.forEach(Channel::close);
    }

    void recover() {
        offline = false;
        silent = false;
        stalling = false;
        ahead.clear();
        printer.recover();
    }

    /** Whether another connection finds a free slot. */
    boolean admits(Channel channel) {
        if (channels.add(channel)) {
            opened.incrementAndGet();
        }
        mostChannels.accumulateAndGet(channels.size(), Math::max);
        return channels.size() <= connections;
    }

    void left(Channel channel) {
        channels.remove(channel);
    }

    /** Whether it takes whatever comes, and never answers. */
    boolean isSilent() {
        return silent;
    }

    /** Whether it begins to answer, and never ends. */
    boolean stalls() {
        return stalling;
    }

    /** What befalls the next exchange; one at which the printer falls off the line is its last. */
    String next() {
        String befalls = Objects.requireNonNullElse(ahead.poll(), HEARD);
        offline = offline || !befalls.equals(HEARD);
        return befalls;
    }

    /** Whether it hangs up on whoever asks now. */
    boolean turnsAway() {
        return toTurnAway.getAndUpdate(left -> Math.max(0, left - 1)) > 0 || offline;
    }

    @Override
    public void close() {
        hangUp();
        port.close();
    }
}
