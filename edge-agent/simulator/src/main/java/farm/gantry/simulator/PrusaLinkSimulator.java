package farm.gantry.simulator;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** One simulated PrusaLink on a port of its own. */
public final class PrusaLinkSimulator implements AutoCloseable, RestServer.Rest {
    private static final int CONNECTIONS = 3;
    private static final Duration INDEXING = Duration.ofMillis(700);

    /** Who wrote the PrusaLink: each has its own digest, its own folder and its own file type. */
    public enum Generation {
        firmware,
        raspberry
    }

    private final Generation generation;
    private final PrusaLinkAuthentication guard;
    private final SimulatedPrinter printer;
    private final RestServer port;
    private final ConcurrentMap<String, Long> known = new ConcurrentHashMap<>();
    private volatile boolean asking;
    private volatile boolean full;

    /** A port of 0 is any free one. */
    public PrusaLinkSimulator(int port, SimulationSpeed pace, Generation generation, String password) {
        this.generation = generation;
        this.guard = new PrusaLinkAuthentication(generation, password);
        this.printer = new SimulatedPrinter(pace, (_, _) -> {});
        this.port = new RestServer(port, printer, CONNECTIONS, this);
    }

    /** Tells of this PrusaLink to whoever looks for a web server. */
    public DiscoveryResponder beacon() throws IOException {
        return DiscoveryResponder.light(new MdnsService("_http._tcp", "Shelf 3", "prusa-mk4", port(), Map.of()));
    }

    public int port() {
        return port.number();
    }

    @Override
    public void answer(FullHttpRequest request, Channel channel) throws RpcException {
        new PrusaLinkRoutes(this, request).to(channel);
    }

    @Override
    public String faultField() {
        return "message";
    }

    @Override
    public Map<String, Object> log() {
        return port.log();
    }

    /** What {@link RestServer#fail} knows, and what only a PrusaLink can suffer. */
    @Override
    public void fail(String kind) throws RpcException {
        switch (kind) {
            case "attention" -> asking = true;
            case "full" -> full = true;
            case "stale-nonces" -> guard.forget();
            default -> port.fail(kind);
        }
    }

    @Override
    public void recover() {
        asking = false;
        full = false;
        port.recover();
    }

    void keep(GcodeFile file) throws RpcException {
        if (full) {
            throw new RpcException(507, "USB drive full");
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

    PrusaLinkAuthentication guard() {
        return guard;
    }

    SimulatedPrinter printer() {
        return printer;
    }

    @Override
    public void close() {
        port.close();
    }
}
