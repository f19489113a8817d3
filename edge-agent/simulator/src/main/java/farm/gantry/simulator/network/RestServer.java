package farm.gantry.simulator.network;

import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
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
import org.jspecify.annotations.Nullable;

/** The server of a simulated printer with a REST API: its connections and their faults. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
public final class RestServer implements AutoCloseable {
    static final String HEARD = "heard";
    static final String FALLS_UNHEARD = "falls-unheard";
    static final String FALLS_UNANSWERED = "falls-unanswered";
    private static final String SLOW_UPLOAD = "slow-upload";

    /** The number of requests that {@code disconnect} rejects: three of the agent's, each tried four times. */
    private static final int MAX_REJECTED_REQUESTS = 12;

    private final SimulatedPrinter printer;
    private final int connections;
    private final HttpListener port;
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();
    private final AtomicInteger maxChannels = new AtomicInteger();
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger toReject = new AtomicInteger();
    private volatile boolean offline;
    private volatile boolean silent;
    private volatile boolean stalling;
    private volatile boolean slow;
    private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
    private final Queue<String> nextFaults = new ConcurrentLinkedQueue<>();

    /** {@code connections} is the maximum number of open connections. */
    public RestServer(int number, SimulatedPrinter printer, int connections, Routes routes) {
        this.printer = printer;
        this.connections = connections;
        this.port = new HttpListener(number, routes::configure, routes, () -> new RestConnection(this, routes), () -> {
            printer.advance();
            routes.onTick();
        });
    }

    /** The API of a provider. */
    public interface Routes extends FaultInjection.FaultTarget {
        /** May add handlers between the socket and HTTP. */
        default void configure(ChannelPipeline pipeline) {}

        void answer(FullHttpRequest request, Channel channel) throws IOException, RpcException;

        /** Returns the printer's end of a new WebSocket; null if it has none. */
        default WebSocketConnection.@Nullable Handler webSocketClient() {
            return null;
        }

        /** Called after each step of the simulation. */
        default void onTick() {}

        /** Returns the field of an error response that has the message. */
        default String errorField() {
            return "message";
        }
    }

    public int port() {
        return port.port();
    }

    public Map<String, Object> log() {
        Map<String, Object> log = new LinkedHashMap<>(printer.log());
        log.put("connections", maxChannels.get());
        log.put("opened", opened.get());
        return log;
    }

    /**
     * Injects a fault of the connections, of the next requests one by one, or of the machine ({@link
     * SimulatedPrinter#fail}).
     */
    public void fail(String kind) throws RpcException {
        switch (kind) {
            case "disconnect" -> {
                toReject.set(MAX_REJECTED_REQUESTS);
                disconnectAll();
            }
            case "offline" -> offline = true;
            case "silent" -> silent = true;
            case "stalling" -> stalling = true;
            case SLOW_UPLOAD -> slow = true;
            case HEARD, FALLS_UNHEARD, FALLS_UNANSWERED -> nextFaults.add(kind);
            case "upload-cut" -> port.breakNextUpload();
            default -> printer.fail(kind);
        }
    }

    public void disconnectAll() {
        channels.forEach(Channel::close);
    }

    public void recover() {
        offline = false;
        silent = false;
        stalling = false;
        slow = false;
        nextFaults.clear();
        for (Runnable answer = held.poll(); answer != null; answer = held.poll()) {
            answer.run();
        }
    }

    /** Answers an upload: at once, or with the fault {@code slow-upload} only when the printer recovers. */
    public void answerUpload(Runnable answer) {
        if (slow) {
            held.add(answer);
        } else {
            answer.run();
        }
    }

    /** Returns whether the server accepts this connection, because its connection limit is not reached. */
    public boolean accepts(Channel channel) {
        if (channels.add(channel)) {
            opened.incrementAndGet();
        }
        maxChannels.accumulateAndGet(channels.size(), Math::max);
        return channels.size() <= connections;
    }

    public void onDisconnect(Channel channel) {
        channels.remove(channel);
    }

    /** Returns whether the server never responds to requests. */
    boolean isSilent() {
        return silent;
    }

    /** Returns whether the server starts responses and never ends them. */
    boolean isStalling() {
        return stalling;
    }

    /** Returns the fault of the next request; after a fault, the printer is offline. */
    String nextFault() {
        String fault = Objects.requireNonNullElse(nextFaults.poll(), HEARD);
        offline = offline || !fault.equals(HEARD);
        return fault;
    }

    /** Returns whether the server closes the connection of this request. */
    boolean rejects() {
        return toReject.getAndUpdate(left -> Math.max(0, left - 1)) > 0 || offline;
    }

    @Override
    public void close() {
        disconnectAll();
        port.close();
    }
}
