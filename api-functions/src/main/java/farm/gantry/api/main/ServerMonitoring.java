package farm.gantry.api.main;

import farm.gantry.api.database.Database;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.monitoring.FarmMetrics;
import farm.gantry.api.monitoring.MonitoringServer;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Health and metrics, served at {@code gantry.monitoring.port}, if set, on {@code gantry.monitoring.host}, by default
 * loopback. The installation is ready if its tables have this version, PostgreSQL responds, the disk has space and no
 * shutdown was requested.
 */
final class ServerMonitoring implements MonitoringServer.MonitoringSource, AutoCloseable {
    static final String PORT = "gantry.monitoring.port";
    private static final String HOST = "gantry.monitoring.host";
    private static final Duration DATABASE_TIMEOUT = Duration.ofSeconds(2);

    private final AtomicReference<@Nullable ApplicationContext> context = new AtomicReference<>();
    private final AtomicBoolean isStopping = new AtomicBoolean();
    private final AtomicReference<@Nullable MonitoringServer> server = new AtomicReference<>();

    /** If the port is in use, notifies the operator and runs the farm without it. */
    static ServerMonitoring start(Map<String, Object> settings, InstallListener listener) throws IOException {
        ServerMonitoring monitoring = new ServerMonitoring();
        Object port = settings.get(PORT);
        if (port != null) {
            String host = settings.getOrDefault(HOST, "127.0.0.1").toString();
            InetSocketAddress address = new InetSocketAddress(host, Integer.parseInt(port.toString()));
            try {
                monitoring.server.set(MonitoringServer.open(address, monitoring));
            } catch (BindException e) {
                listener.onNotice(
                        "health and metrics are not served: " + address + " is taken; choose another " + PORT);
            }
        }
        return monitoring;
    }

    void onStarted(ApplicationContext started) {
        context.set(started);
    }

    void onStopping() {
        isStopping.set(true);
    }

    @Override
    public Optional<String> whyNotReady() {
        ApplicationContext started = context.get();
        if (isStopping.get()) {
            return Optional.of("stopping");
        } else if (started == null) {
            return Optional.of("starting");
        }
        if (!started.getBean(Database.class).isResponding(DATABASE_TIMEOUT)) {
            return Optional.of("the database does not respond");
        }
        return started.findBean(FileStorage.class).filter(FileStorage::isFull).map(_ -> "the disk is full");
    }

    @Override
    public Optional<String> metrics() {
        return Optional.ofNullable(context.get())
                .filter(_ -> !isStopping.get())
                .flatMap(started -> started.findBean(FarmMetrics.class))
                .map(FarmMetrics::prometheusText);
    }

    @Override
    public void close() {
        MonitoringServer opened = server.get();
        if (opened != null) {
            opened.close();
        }
    }
}
