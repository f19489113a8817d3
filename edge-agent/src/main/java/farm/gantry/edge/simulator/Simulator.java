package farm.gantry.edge.simulator;

import farm.gantry.edge.json.Json;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One simulated Moonraker on a port of its own. What happened to it outlives any agent that it talks to. */
public final class Simulator implements AutoCloseable {
    private static final MultiThreadIoEventLoopGroup LOOPS =
            new MultiThreadIoEventLoopGroup(2, Thread.ofPlatform().daemon().factory(), NioIoHandler.newFactory());
    private static final int BETWEEN_UPDATES = 250;
    private static final int LARGEST_UPLOAD = 1 << 30;

    private final Set<Client> clients = ConcurrentHashMap.newKeySet();
    private final @Nullable String apiKey;
    private final SimulatedPrinter printer;
    private final Methods methods;
    private final Channel channel;
    private final ScheduledFuture<?> clock;
    private volatile boolean offline;
    private volatile long lastPass = System.nanoTime();

    /** A port of 0 is any free one; with a key, whoever comes without it is turned away. */
    public Simulator(int port, Pace pace, @Nullable String apiKey) {
        this.apiKey = apiKey;
        this.printer = new SimulatedPrinter(pace, this::notify);
        this.methods = new Methods(printer, "token-" + System.nanoTime());
        this.channel = new ServerBootstrap()
                .group(LOOPS)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel accepted) {
                        accepted.pipeline()
                                .addLast(
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(LARGEST_UPLOAD),
                                        new Client(Simulator.this));
                    }
                })
                .bind("127.0.0.1", port)
                .syncUninterruptibly()
                .channel();
        this.clock =
                LOOPS.next().scheduleAtFixedRate(this::pass, BETWEEN_UPDATES, BETWEEN_UPDATES, TimeUnit.MILLISECONDS);
    }

    public int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    private void pass() {
        long now = System.nanoTime();
        printer.pass((now - lastPass) / 1e9);
        lastPass = now;
        clients.forEach(client -> client.update(methods));
    }

    /** Klipper's end is the end of all subscriptions. */
    private void notify(String method, Object params) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("method", method);
        message.put("params", params);
        String text = Json.write(message);
        clients.forEach(client -> {
            if (method.equals("notify_klippy_disconnected")) {
                client.unsubscribe();
            }
            client.send(text);
        });
    }

    /** {@code mcu-shutdown}, {@code print-error} and {@code filament-runout}, or of the network: {@code disconnect}, {@code offline}. */
    void fail(String kind) throws RpcFault {
        switch (kind) {
            case "disconnect" -> clients.forEach(Client::hangUp);
            case "offline" -> {
                offline = true;
                clients.forEach(Client::hangUp);
            }
            default -> printer.fail(kind);
        }
    }

    void recover() {
        offline = false;
        printer.recover();
    }

    boolean isOffline() {
        return offline;
    }

    boolean admits(@Nullable String key, @Nullable String token) {
        return apiKey == null || apiKey.equals(key) || methods.oneshotToken().equals(token);
    }

    Methods methods() {
        return methods;
    }

    SimulatedPrinter printer() {
        return printer;
    }

    void joined(Client client) {
        clients.add(client);
    }

    void left(Client client) {
        clients.remove(client);
    }

    @Override
    public void close() {
        clock.cancel(false);
        clients.forEach(Client::hangUp);
        channel.close().syncUninterruptibly();
    }
}
