package farm.gantry.edge.command;

import farm.gantry.edge.file.FileCache;
import farm.gantry.edge.file.FileDownload;
import farm.gantry.edge.file.FilesOnPrinters;
import farm.gantry.edge.file.PrivateFile;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.link.AgentInstance;
import farm.gantry.edge.link.ApiClient;
import farm.gantry.edge.link.Credentials;
import farm.gantry.edge.link.HttpsUplink;
import farm.gantry.edge.link.LinkSession;
import farm.gantry.edge.link.MqttUplink;
import farm.gantry.edge.link.ReportQueue;
import farm.gantry.edge.link.SavedPrinterList;
import farm.gantry.edge.link.SnapshotUploads;
import farm.gantry.edge.link.Uplink;
import farm.gantry.edge.log.ErrorText;
import farm.gantry.edge.log.LogFile;
import farm.gantry.edge.log.LoggedWarning;
import farm.gantry.edge.printer.PrinterFleet;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.provider.Providers;
import farm.gantry.json.Json;
import farm.gantry.printer.PrinterState;
import farm.gantry.version.ProductVersion;
import farm.gantry.wire.BrokerAddress;
import farm.gantry.wire.LinkRequest.Kind;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The {@code run} command: the daemon, which serves the printers until it is stopped. {@code grace} is how long a
 * printer may show a file other than ours before our print is given up, {@code cacheBytes} the size limit of the file
 * cache, {@code ffmpeg} the program that decodes video, {@code cameraHosts} the hosts other than the printer's own from
 * which camera images may be read, and {@code broker} the MQTT broker to use instead of a direct connection to the API.
 */
public record RunCommand(
        Path data,
        int statusPort,
        Duration grace,
        long cacheBytes,
        String ffmpeg,
        Set<String> cameraHosts,
        @Nullable BrokerAddress broker) {
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    /** The file with the port of the running agent's status page. */
    static final String PORT_FILE = "status-port";
    /** The folder in which providers store data about their printers, such as pinned certificates. */
    static final String PRINTERS = "printers";

    /** Loads classes with a slow initialization in the background, while the command line is parsed. */
    public static void loadSlowClasses() {
        Json.write(Map.of());
        PrinterHttp.client();
    }

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        try {
            Optional<Credentials> credentials = Credentials.read(data);
            if (credentials.isEmpty()) {
                err.println(
                        "Not paired: no agent.json in " + data + ". Pair it: gantry-agent pair --api URL --code CODE");
                return 1;
            }
            PrivateFile.createFolder(data);
            try (FileChannel lock = FileChannel.open(
                            data.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = lock.tryLock()) {
                if (held == null) {
                    err.println("Another agent is already running on " + data + ".");
                    return 1;
                }
                LogFile.writeTo(data);
                Credentials current = credentials.get();
                while (true) {
                    current = serve(current, out);
                    out.println("The pairing or the address has changed; reconnecting.");
                }
            }
        } catch (IOException e) {
            err.println("Cannot run the agent: " + ErrorText.of(e));
            return 1;
        }
    }

    /** Serves the printers until the agent is paired again or its store has moved, and then returns the new credentials. */
    private Credentials serve(Credentials credentials, PrintWriter out) throws IOException, InterruptedException {
        ApiClient api = ApiClient.create(credentials.api());
        FileCache cache = new FileCache(data.resolve("cache"), cacheBytes, new FileDownload(api.http()), api.clock());
        ReportQueue reports = new ReportQueue();
        SavedPrinterList configuration = new SavedPrinterList(data);
        try (Journal journal = Journal.open(data.resolve("journal"), api.clock());
                PrinterFleet fleet = new PrinterFleet(
                        this::createProvider, journal, cache, FilesOnPrinters.load(data), grace, reports, api.clock());
                SnapshotUploads stills = new SnapshotUploads(api, credentials.token(), fleet);
                LinkSession session = new LinkSession(
                        createUplink(api, credentials),
                        api.clock(),
                        reports,
                        journal,
                        fleet,
                        configuration,
                        stills,
                        AgentInstance.register(data),
                        address -> followStore(credentials, address));
                StatusPage page = StatusPage.open(
                        statusPort,
                        () -> createReport(api, credentials, session, fleet, journal, reports),
                        fleet::snapshot)) {
            Files.writeString(data.resolve(PORT_FILE), String.valueOf(page.port()));
            fleet.serve(configuration.read());
            session.start();
            Runtime.getRuntime().addShutdownHook(new Thread(session::end));
            out.println("Running as " + credentials + "; status at http://127.0.0.1:" + page.port() + "/");
            out.flush();
            SystemdNotifier systemd =
                    new SystemdNotifier(Objects.requireNonNullElse(System.getenv("NOTIFY_SOCKET"), ""));
            HeapMonitor heap = HeapMonitor.ofProcess();
            Optional<Credentials> changed = readChangedCredentials(credentials);
            while (changed.isEmpty()) {
                systemd.notifyState(watchdogMessage(session.status(), fleet, journal));
                heap.check(fleet.configs().size());
                Thread.sleep(POLL_INTERVAL);
                changed = readChangedCredentials(credentials);
            }
            return changed.get();
        }
    }

    /**
     * Stores the address at which the agent's store is now, so that the agent reconnects there. Returns the status to show
     * until then.
     */
    private String followStore(Credentials credentials, String address) {
        Optional<Credentials> moved = credentials.movedTo(address);
        if (moved.isEmpty() && broker != null) {
            return "the store is at " + address + " now: set the broker of that installation as this agent's";
        }
        if (moved.isEmpty()) {
            return "the API says that the store is at " + address + " now, where the agent does not go by itself:"
                    + " if that is right, pair it again with --api " + address;
        }
        try {
            moved.get().writeTo(data);
            return "the store is at " + address + " now; connecting there";
        } catch (IOException e) {
            return "cannot store the new address " + address + ", retrying: " + ErrorText.of(e);
        }
    }

    private Uplink createUplink(ApiClient api, Credentials credentials) {
        return broker == null
                ? new HttpsUplink(api, credentials.token())
                : new MqttUplink(broker, credentials, api.clock(), api.sent());
    }

    /**
     * Returns the watchdog message for systemd. It is empty while the journal is blocked, because the agent then serves
     * neither printers nor commands, and systemd should restart it.
     */
    private static String watchdogMessage(LinkSession.Status status, PrinterFleet fleet, Journal journal) {
        return "READY=1\nWATCHDOG=1\nSTATUS=%d printers, events waiting: %d, %s"
                .formatted(
                        fleet.configs().size(),
                        journal.countUndelivered(),
                        status.connected() ? "connected" : "not connected: " + status.reason());
    }

    /** Returns the credentials in the file if they differ from these. An unreadable file counts as unchanged. */
    private Optional<Credentials> readChangedCredentials(Credentials credentials) {
        try {
            return Credentials.read(data).filter(stored -> !stored.equals(credentials));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private Provider createProvider(PrinterConfig config) {
        return Providers.of(config)
                .withDataFolder(data.resolve(PRINTERS))
                .withVideoDecoder(ffmpeg)
                .withCameraHosts(cameraHosts);
    }

    private static StatusReport createReport(
            ApiClient api,
            Credentials credentials,
            LinkSession session,
            PrinterFleet fleet,
            Journal journal,
            ReportQueue reports) {
        LinkSession.Status status = session.status();
        Map<String, PrinterState> states = fleet.states();
        List<StatusReport.ServedPrinter> printers = fleet.configs().stream()
                .map(config -> StatusReport.ServedPrinter.of(config, states.get(config.deviceId())))
                .sorted(Comparator.comparing(StatusReport.ServedPrinter::name))
                .toList();
        StatusReport.PrintCounts prints = new StatusReport.PrintCounts(
                journal.countRecorded(Kind.jobCompleted),
                journal.countRecorded(Kind.jobFailed),
                journal.countRecorded(Kind.jobCancelled),
                journal.countRecorded(Kind.jobRefused));
        return new StatusReport(
                credentials.agentId(),
                ProductVersion.CURRENT.text(),
                session.versionMismatch().orElse(null),
                credentials.api(),
                status.connected(),
                status.reason(),
                status.since(),
                new StatusReport.AgentTotals(
                        reports.receivedStatuses(), api.sent().sum(), journal.countUndelivered(), prints),
                HeapMonitor.percentUsed(),
                printers,
                LoggedWarning.latest());
    }
}
