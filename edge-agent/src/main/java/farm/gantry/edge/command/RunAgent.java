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
import farm.gantry.edge.link.SavedConfiguration;
import farm.gantry.edge.link.SnapshotUploads;
import farm.gantry.edge.link.Uplink;
import farm.gantry.edge.log.ErrorText;
import farm.gantry.edge.log.LogFile;
import farm.gantry.edge.log.LoggedWarning;
import farm.gantry.edge.printer.PrinterFleet;
import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.provider.Providers;
import farm.gantry.json.Json;
import farm.gantry.printer.PrinterState;
import farm.gantry.version.ProductVersion;
import farm.gantry.wire.BrokerAddress;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import farm.gantry.wire.LinkRequest.Kind;
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
 * The daemon, which serves the printers until it is stopped. {@code grace} is how long a printer may show changed file
 * than ours before our print is given up, {@code cacheBytes} the size limit of the file cache, {@code ffmpeg} the
 * program that decodes video, {@code cameraHosts} the hosts beside a printer's own whose cameras may be asked, {@code
 * broker} the MQTT broker to use instead of a direct connection to the API.
 */
public record RunAgent(
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
    /** The folder in which providers store what they must remember of their printers. */
    static final String PRINTERS = "printers";

    /** Initializes slow classes while the command line is parsed. */
    public static void prepare() {
        Json.write(Map.of());
        PrinterHttp.client();
    }

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        try {
            Optional<Credentials> credentials = Credentials.in(data);
            if (credentials.isEmpty()) {
                err.println(
                        "Not paired: no agent.json in " + data + ". Pair it: gantry-agent pair --api URL --code CODE");
                return 1;
            }
            PrivateFile.folder(data);
            try (FileChannel lock = FileChannel.open(
                            data.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = lock.tryLock()) {
                if (held == null) {
                    err.println("Another agent is already running on " + data + ".");
                    return 1;
                }
                LogFile.keepIn(data);
                Credentials current = credentials.get();
                while (true) {
                    current = serve(current, out);
                    out.println("Paired again; reconnecting with the new token.");
                }
            }
        } catch (IOException e) {
            err.println("Cannot run the agent: " + ErrorText.of(e));
            return 1;
        }
    }

    /** Serves until the agent is paired again; returns the new credentials. */
    private Credentials serve(Credentials credentials, PrintWriter out) throws IOException, InterruptedException {
        ApiClient api = ApiClient.at(credentials.api());
        FileCache cache = new FileCache(data.resolve("cache"), cacheBytes, new FileDownload(api.http()), api.clock());
        ReportQueue reports = new ReportQueue();
        SavedConfiguration configuration = new SavedConfiguration(data);
        try (Journal journal = Journal.at(data.resolve("journal"), api.clock());
                PrinterFleet fleet = new PrinterFleet(
                        this::provider, journal, cache, FilesOnPrinters.in(data), grace, reports, api.clock());
                SnapshotUploads stills = new SnapshotUploads(api, credentials.token(), fleet);
                LinkSession session = new LinkSession(
                        uplink(api, credentials),
                        api.clock(),
                        reports,
                        journal,
                        fleet,
                        configuration,
                        stills,
                        AgentInstance.in(data));
                StatusPage page = StatusPage.open(
                        statusPort,
                        () -> report(api, credentials, session, fleet, journal, reports),
                        fleet::snapshot)) {
            Files.writeString(data.resolve(PORT_FILE), String.valueOf(page.port()));
            fleet.serve(configuration.read());
            session.start();
            Runtime.getRuntime().addShutdownHook(new Thread(session::end));
            out.println("Running as " + credentials + "; status at http://127.0.0.1:" + page.port() + "/");
            out.flush();
            Systemd systemd = new Systemd(Objects.requireNonNullElse(System.getenv("NOTIFY_SOCKET"), ""));
            Optional<Credentials> changed = changed(credentials);
            while (changed.isEmpty()) {
                systemd.tell(alive(session.status(), fleet, journal));
                Thread.sleep(POLL_INTERVAL);
                changed = changed(credentials);
            }
            return changed.get();
        }
    }

    private Uplink uplink(ApiClient api, Credentials credentials) {
        return broker == null
                ? new HttpsUplink(api, credentials.token())
                : new MqttUplink(broker, credentials, api.clock(), api.sent());
    }

    /**
     * Returns the watchdog message for systemd. It is empty while the journal is blocked, because then no printer and
     * no command is served.
     */
    private static String alive(LinkSession.Status status, PrinterFleet fleet, Journal journal) {
        return "READY=1\nWATCHDOG=1\nSTATUS=%d printers, events waiting: %d, %s"
                .formatted(
                        fleet.configs().size(),
                        journal.waiting(),
                        status.connected() ? "connected" : "not connected: " + status.reason());
    }

    /** Returns other credentials, if the file has any; an unreadable file counts as unchanged. */
    private Optional<Credentials> changed(Credentials credentials) {
        try {
            return Credentials.in(data).filter(stored -> !stored.equals(credentials));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private Provider provider(PrinterConfig config) {
        return Providers.of(config)
                .keeping(data.resolve(PRINTERS))
                .decoding(ffmpeg)
                .withCameraHosts(cameraHosts);
    }

    private static StatusReport report(
            ApiClient api,
            Credentials credentials,
            LinkSession session,
            PrinterFleet fleet,
            Journal journal,
            ReportQueue reports) {
        LinkSession.Status status = session.status();
        Map<String, PrinterState> states = fleet.states();
        List<StatusReport.Served> printers = fleet.configs().stream()
                .map(config -> StatusReport.Served.of(config, states.get(config.deviceId())))
                .sorted(Comparator.comparing(StatusReport.Served::name))
                .toList();
        StatusReport.Prints prints = new StatusReport.Prints(
                journal.recorded(Kind.jobCompleted),
                journal.recorded(Kind.jobFailed),
                journal.recorded(Kind.jobCancelled),
                journal.recorded(Kind.jobRefused));
        return new StatusReport(
                credentials.agentId(),
                ProductVersion.CURRENT.text(),
                session.versionMismatch().orElse(null),
                credentials.api(),
                status.connected(),
                status.reason(),
                status.since(),
                new StatusReport.Counts(reports.messages(), api.sent().sum(), journal.waiting(), prints),
                printers,
                LoggedWarning.latest());
    }
}
