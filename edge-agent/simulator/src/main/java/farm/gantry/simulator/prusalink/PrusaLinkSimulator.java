package farm.gantry.simulator.prusalink;

import farm.gantry.simulator.network.DiscoveryResponder;
import farm.gantry.simulator.network.MdnsService;
import farm.gantry.simulator.network.PrinterSimulator;
import farm.gantry.simulator.network.RestServer;
import farm.gantry.simulator.printer.GcodeFile;
import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import farm.gantry.simulator.printer.SimulationSpeed;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Simulates a PrusaLink on its own port. */
public final class PrusaLinkSimulator extends PrinterSimulator implements RestServer.Routes {
    private static final int CONNECTIONS = 3;
    private static final Duration INDEXING = Duration.ofMillis(700);

    /** The implementation of PrusaLink: each has its own digest scheme, folder and file type. */
    public enum Generation {
        FIRMWARE,
        RASPBERRY
    }

    private final Generation generation;
    private final PrusaLinkAuthentication authentication;
    private final RestServer server;
    private final ConcurrentMap<String, Long> known = new ConcurrentHashMap<>();
    private final AtomicInteger nameless = new AtomicInteger();

    /** Port 0 chooses a free port. */
    public PrusaLinkSimulator(int port, SimulationSpeed speed, Generation generation, String password) {
        super(new SimulatedPrinter(speed), Set.of("attention", "full", OTHER_MACHINE));
        this.generation = generation;
        this.authentication = new PrusaLinkAuthentication(generation, password);
        this.server = new RestServer(port, printer(), CONNECTIONS, this);
    }

    /** Answers multicast DNS queries for web servers. */
    public DiscoveryResponder discoveryResponder() throws IOException {
        return DiscoveryResponder.start(new MdnsService("_http._tcp", "Shelf 3", "prusa-mk4", port(), Map.of()));
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public void answer(FullHttpRequest request, Channel channel) throws RpcException {
        new PrusaLinkRoutes(this, request).respondTo(channel);
    }

    @Override
    public Map<String, Object> log() {
        return server.log();
    }

    /** Injects a fault of PrusaLink, or of its server ({@link RestServer#fail}). */
    @Override
    public void fail(String kind) throws RpcException {
        switch (kind) {
            case "attention", "full" -> super.fail(kind);
            case "stale-nonces" -> authentication.expireNonces();
            case "nameless-job" -> nameless.set(2);
            case OTHER_MACHINE -> {
                super.fail(kind);
                server.fail("disconnect");
            }
            default -> server.fail(kind);
        }
    }

    @Override
    public void recover() {
        super.recover();
        server.recover();
    }

    @Override
    public void disconnectAll() {
        server.disconnectAll();
    }

    void store(GcodeFile file) throws RpcException {
        if (has("full")) {
            throw new RpcException(507, "USB drive full");
        }
        printer().upload(file);
        known.putIfAbsent(
                file.name(), System.nanoTime() + (generation == Generation.RASPBERRY ? INDEXING.toNanos() : 0));
    }

    void answerUpload(Runnable answer) {
        server.answerUpload(answer);
    }

    /** Returns whether the file is listed. A Raspberry Pi lists a new file only after it has indexed its folder. */
    boolean knows(String fileName) {
        Long since = known.get(fileName);
        return since != null && System.nanoTime() - since >= 0;
    }

    void remove(String fileName) throws RpcException {
        try {
            printer().remove(fileName);
        } catch (RpcException e) {
            throw new RpcException(409, "File is busy");
        }
        known.remove(fileName);
    }

    /**
     * Returns whether to report the file of the job. With the fault {@code nameless-job}, the first two requests omit
     * it.
     */
    boolean reportsFile() {
        return nameless.getAndUpdate(left -> Math.max(0, left - 1)) == 0;
    }

    String serial() {
        return has(OTHER_MACHINE) ? "CZPX0000X000XC00002" : "CZPX0000X000XC00001";
    }

    Generation generation() {
        return generation;
    }

    PrusaLinkAuthentication authentication() {
        return authentication;
    }

    @Override
    public void close() {
        server.close();
    }
}
