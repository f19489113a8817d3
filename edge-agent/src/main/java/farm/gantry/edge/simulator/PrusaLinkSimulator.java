package farm.gantry.edge.simulator;

import io.netty.channel.Channel;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** One simulated PrusaLink on a port of its own. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
public final class PrusaLinkSimulator implements AutoCloseable, Fate.Simulated {
    private static final int CONNECTIONS = 3;
    private static final Duration BLINK = Duration.ofMillis(1_500);
    private static final Duration INDEXING = Duration.ofMillis(700);

    /** Who wrote the PrusaLink: each has its own digest, its own folder and its own file type. */
    public enum Generation {
        firmware,
        raspberry
    }

    private final Generation generation;
    private final Guard guard;
    private final SimulatedPrinter printer;
    private final Port port;
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();
    private final AtomicInteger mostChannels = new AtomicInteger();
    private final ConcurrentMap<String, Long> known = new ConcurrentHashMap<>();
    private volatile long lastPass = System.nanoTime();
    private volatile long blindUntil = System.nanoTime();
    private volatile boolean offline;
    private volatile boolean asking;
    private volatile boolean full;

    /** A port of 0 is any free one. */
    public PrusaLinkSimulator(int port, Pace pace, Generation generation, String password) {
        this.generation = generation;
        this.guard = new Guard(generation, password);
        this.printer = new SimulatedPrinter(pace, (_, _) -> {});
        this.port = new Port(port, () -> new PrusaLinkClient(this), this::pass);
    }

    public int port() {
        return port.number();
    }

    private void pass() {
        long now = System.nanoTime();
        printer.pass((now - lastPass) / 1e9);
        lastPass = now;
    }

    @Override
    public Map<String, Object> log() {
        Map<String, Object> log = new LinkedHashMap<>(printer.log());
        log.put("connections", mostChannels.get());
        return log;
    }

    /** What {@link SimulatedPrinter#fail} knows, and what only a PrusaLink can suffer. */
    @Override
    public void fail(String kind) throws RpcFault {
        switch (kind) {
            case "disconnect" -> {
                blindUntil = System.nanoTime() + BLINK.toNanos();
                channels.forEach(Channel::close);
            }
            case "offline" -> offline = true;
            case "upload-cut" -> port.cutUpload();
            case "attention" -> asking = true;
            case "full" -> full = true;
            case "stale-nonces" -> guard.forget();
            default -> printer.fail(kind);
        }
    }

    @Override
    public void recover() {
        offline = false;
        asking = false;
        full = false;
        printer.recover();
    }

    /** Whether another connection that talks PrusaLink finds a free slot. */
    boolean admits(Channel channel) {
        channels.add(channel);
        mostChannels.accumulateAndGet(channels.size(), Math::max);
        return channels.size() <= CONNECTIONS;
    }

    void left(Channel channel) {
        channels.remove(channel);
    }

    boolean isSilent() {
        return offline || System.nanoTime() - blindUntil < 0;
    }

    void keep(GcodeFile file) throws RpcFault {
        if (full) {
            throw new RpcFault(507, "USB drive full");
        }
        printer.upload(file);
        known.putIfAbsent(
                file.name(), System.nanoTime() + (generation == Generation.raspberry ? INDEXING.toNanos() : 0));
    }

    /** A Raspberry Pi finds a new file only when it has gone through its folder. */
    boolean knows(String fileName) {
        Long since = known.get(fileName);
        return since != null && System.nanoTime() - since >= 0;
    }

    boolean isAsking() {
        return asking;
    }

    Generation generation() {
        return generation;
    }

    Guard guard() {
        return guard;
    }

    SimulatedPrinter printer() {
        return printer;
    }

    @Override
    public void close() {
        channels.forEach(Channel::close);
        port.close();
    }
}
