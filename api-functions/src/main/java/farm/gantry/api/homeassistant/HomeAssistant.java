package farm.gantry.api.homeassistant;

import farm.gantry.Id;
import farm.gantry.api.apikey.WorkCallers;
import farm.gantry.api.camera.CameraSnapshots;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.api.security.Caller;
import farm.gantry.api.stream.ChangeRows;
import farm.gantry.api.stream.EventBrokerSettings;
import farm.gantry.api.stream.EventPublisherRows;
import io.micronaut.context.annotation.Requires;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the printers of a store as devices in Home Assistant, by its MQTT discovery, and executes commands from there.
 * One process at a time does this. Messages are retained and published only when they change; all are published again
 * when Home Assistant has started, and those of removed printers are cleared.
 */
@Singleton
@Requires(beans = HomeAssistantSettings.class)
public final class HomeAssistant {
    private static final Logger LOG = LoggerFactory.getLogger(HomeAssistant.class);
    private static final String LEASE_ID = "home-assistant";
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_WAITING = 1000;

    private final HomeAssistantSettings settings;
    private final EventBrokerSettings broker;
    private final WorkCallers callers;
    private final EventPublisherRows leases;
    private final ChangeRows changes;
    private final FarmMessages farm;
    private final CameraSnapshots snapshots;
    private final HomeAssistantCommands commands;
    private final String holder = Id.random(16);

    private final AtomicReference<@Nullable HomeAssistantSession> session = new AtomicReference<>();
    private final AtomicReference<String> reported = new AtomicReference<>("");
    /** Commands to execute. Further ones are dropped while it is full, so that a flood cannot fill the memory. */
    private final BlockingQueue<HomeAssistantCommands.Message> waiting = new ArrayBlockingQueue<>(MAX_WAITING);

    HomeAssistant(
            HomeAssistantSettings settings,
            @Nullable EventBrokerSettings broker,
            WorkCallers callers,
            EventPublisherRows leases,
            ChangeRows changes,
            FarmMessages farm,
            CameraSnapshots snapshots,
            HomeAssistantCommands commands) {
        if (broker == null) {
            throw new IllegalArgumentException(
                    "gantry.home-assistant.api-key needs a broker: set gantry.events.broker.url");
        }
        this.settings = settings;
        this.broker = broker;
        this.callers = callers;
        this.leases = leases;
        this.changes = changes;
        this.farm = farm;
        this.snapshots = snapshots;
        this.commands = commands;
    }

    /** Connects if this process has the lease, and publishes changes until closed. */
    public List<WorkLoop> start() {
        return List.of(
                WorkLoop.start("home-assistant", new Signal(), POLL_INTERVAL, this::refresh),
                WorkLoop.start("home-assistant-commands", new Signal(), Duration.ZERO, this::executeNext));
    }

    @PreDestroy
    void close() {
        disconnect();
        leases.release(LEASE_ID, holder);
    }

    private void refresh() {
        if (!holdsLease()) {
            disconnect();
            return;
        }
        try {
            Caller caller = authenticate();
            connect(caller).refresh(caller);
            report("");
        } catch (ProblemException e) {
            report("Home Assistant gets no messages, because the key in gantry.home-assistant.api-key cannot be used: "
                    + e.problem().message());
            disconnect();
        }
    }

    private HomeAssistantSession connect(Caller caller) {
        HomeAssistantSession current = session.get();
        if (current == null || !current.topics().store().equals(caller.store())) {
            disconnect();
            current = new HomeAssistantSession(
                    new HomeAssistantTopics(caller.store(), settings.discoveryPrefix()),
                    broker,
                    changes,
                    farm,
                    snapshots,
                    settings.cameraInterval(),
                    waiting);
            session.set(current);
            current.connect();
        }
        return current;
    }

    private boolean holdsLease() {
        return !leases.isHeldElsewhere(LEASE_ID)
                && leases.findPosition(LEASE_ID, holder, TIMEOUT)
                        .or(() -> leases.acquire(LEASE_ID, holder, LEASE, 0))
                        .isPresent();
    }

    private Caller authenticate() {
        return callers.authenticate(settings.apiKey(), LEASE_ID);
    }

    /** Logs a problem once, until another occurs. */
    private void report(String problem) {
        if (!reported.getAndSet(problem).equals(problem) && !problem.isEmpty()) {
            LOG.warn("{}", problem);
        }
    }

    private void disconnect() {
        HomeAssistantSession current = session.getAndSet(null);
        if (current != null) {
            current.close();
        }
    }

    private void executeNext() {
        try {
            HomeAssistantCommands.Message message = waiting.take();
            HomeAssistantSession current = session.get();
            if (current != null) {
                commands.execute(this::authenticate, current.topics(), message);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
