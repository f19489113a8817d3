package farm.gantry.api.main;

import farm.gantry.Id;
import farm.gantry.api.store.Schema;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A real PostgreSQL that belongs to this process and keeps its data, durably, in a folder. */
public final class LocalPostgres implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalPostgres.class);
    /** Of the PostgreSQL that comes with this version; another cannot read its data. */
    static final String MAJOR = "18";

    static final String SHARED_BINARIES = "gantry.postgres-binaries";

    private static final String OWNER = "postgres";
    /** After a power cut it goes through its log first, which a slow machine takes its time over. */
    private static final Duration START = Duration.ofMinutes(2);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    /** Connections need a password, and come from this machine only. */
    private static final String ACCESS = "host all all 127.0.0.1/32 scram-sha-256\n";

    private final Path folder;
    private final Map<String, String> settings;
    private final String ownerPassword;
    private final AtomicReference<EmbeddedPostgres> server;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private LocalPostgres(Path folder, Map<String, String> settings) throws IOException {
        this.folder = folder;
        this.settings = settings;
        checkMajor();
        this.ownerPassword = ownerPassword(folder);
        secure();
        this.server = new AtomicReference<>(started(0));
    }

    /** Starts it in the folder, after stopping one that a killed process left running there. */
    public static LocalPostgres start(Path folder) throws IOException {
        return start(folder, Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on"));
    }

    /** Starts it with settings of {@code postgresql.conf}; tests trade durability for speed here. */
    public static LocalPostgres start(Path folder, Map<String, String> settings) throws IOException {
        Files.createDirectories(folder);
        return new LocalPostgres(folder, settings);
    }

    private void checkMajor() throws IOException {
        Path file = data().resolve("PG_VERSION");
        String major = Files.exists(file) ? Files.readString(file).strip() : MAJOR;
        if (!major.equals(MAJOR)) {
            throw new IOException(
                    "the data in " + folder + " is of PostgreSQL " + major + ", and this version of Gantry has " + MAJOR
                            + ": bring it over with pg_upgrade, or start the version of Gantry that wrote it");
        }
    }

    private static String ownerPassword(Path folder) throws IOException {
        return SecretFile.in(folder.resolve("owner-password"), Id.random(32));
    }

    /** The password of the role as which the API connects. */
    static String password(Path folder) throws IOException {
        return SecretFile.in(folder.resolve("password"), Id.random(32));
    }

    public String password() throws IOException {
        return password(folder);
    }

    private EmbeddedPostgres server() {
        return Objects.requireNonNull(server.get());
    }

    private Path data() {
        return folder.resolve("data");
    }

    private static PostmasterFile postmaster(Path folder) {
        return new PostmasterFile(folder.resolve("data/postmaster.pid"));
    }

    /**
     * Where its programs are unpacked, once a process whatever the folder: one that starts several PostgreSQLs, and deletes
     * their folders, names a place of its own, for its child processes too, by the system property
     * {@code gantry.postgres-binaries}.
     */
    static Path binaries(Path folder) {
        return sharedBinaries().orElseGet(() -> folder.resolve("binaries"));
    }

    static Optional<Path> sharedBinaries() {
        return Optional.ofNullable(System.getProperty(SHARED_BINARIES)).map(Path::of);
    }

    private EmbeddedPostgres started(int port) throws IOException {
        postmaster(folder).stopLeftover();
        ProcessBuilder.Redirect log =
                ProcessBuilder.Redirect.appendTo(folder.resolve("postgres.log").toFile());
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(data())
                .setCleanDataDirectory(false)
                .setOverrideWorkingDirectory(binaries(folder).toFile())
                .setRegisterShutdownHook(false)
                .setPGStartupWait(START)
                .setPort(port)
                .setConnectConfig("password", ownerPassword)
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8")
                .setLocaleConfig("auth", "scram-sha-256")
                .setLocaleConfig("pwfile", folder.resolve("owner-password").toString())
                .setServerConfig("max_connections", "100")
                .setServerConfig("listen_addresses", "127.0.0.1")
                // Plans made while a table was empty are made again once it is analyzed: soon, not in a minute.
                .setServerConfig("autovacuum_naptime", "5s")
                .setServerConfig("unix_socket_directories", "")
                .setErrorRedirector(log)
                .setOutputRedirector(log);
        settings.forEach(builder::setServerConfig);
        return builder.start();
    }

    /** An earlier version let every user of this machine in without a password: its owner gets one before it starts. */
    private void secure() throws IOException {
        Path access = data().resolve("pg_hba.conf");
        if (!Files.exists(access) || Files.readString(access).equals(ACCESS)) {
            return;
        }
        postmaster(folder).stopLeftover();
        if (Files.readString(access).lines().anyMatch(line -> line.matches("[a-z].*\\strust\\s*"))) {
            LOG.info("the PostgreSQL in {} gets passwords", folder);
            alone("alter role " + OWNER + " password '" + ownerPassword + "'");
        }
        Files.writeString(access, ACCESS);
    }

    /** Runs a statement while nobody can connect. */
    private void alone(String statement) throws IOException {
        Path program;
        try (Stream<Path> files = Files.walk(binaries(folder), FileVisitOption.FOLLOW_LINKS)) {
            program = files.filter(file -> file.endsWith("bin/postgres"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("there is no bin/postgres below " + binaries(folder)));
        }
        List<String> command = new ArrayList<>();
        if (Integer.valueOf(0).equals(Files.getAttribute(folder, "unix:uid"))) {
            command.addAll(List.of("unshare", "-U")); // PostgreSQL does not run as root
        }
        command.addAll(List.of(program.toString(), "--single", "-D", data().toString(), OWNER));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("postgres.log").toFile()))
                .start();
        try (Writer input = process.outputWriter()) {
            input.write(statement + "\n");
        }
        try {
            if (process.waitFor() != 0) {
                throw new IOException("PostgreSQL could not be given passwords; see " + folder.resolve("postgres.log"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Starts it again, at its port, whenever it ends by itself; {@code notices} hears of that. */
    void keepRunning(Consumer<String> notices) {
        if (postmaster(folder).process().isEmpty()) {
            LOG.warn("this system does not show the process of PostgreSQL: it is not started again should it end");
            return;
        }
        Thread.ofVirtual().name("postgres-watch").start(() -> {
            try {
                while (!isClosed.get()) {
                    ended();
                    if (!isClosed.get()) {
                        notices.accept(
                                "PostgreSQL has ended and is started again; see " + folder.resolve("postgres.log"));
                        restart();
                        notices.accept("PostgreSQL is back");
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void ended() throws InterruptedException {
        Optional<ProcessHandle> process = postmaster(folder).process();
        if (process.isPresent()) {
            try {
                process.get().onExit().get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void restart() throws InterruptedException {
        int port = server().getPort();
        Duration pause = FIRST_PAUSE;
        while (!isClosed.get()) {
            try {
                server().close();
                server.set(started(port));
                return;
            } catch (IOException | RuntimeException e) {
                LOG.error("PostgreSQL did not start: {}", e.getMessage(), e);
                Thread.sleep(pause);
                pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
    }

    /** Whether one runs over the folder, of this process or another. */
    static boolean isRunning(Path folder) {
        return postmaster(folder).process().isPresent();
    }

    /** A database of that name with this version's tables, made when it is missing. */
    public void prepare(String name) throws IOException {
        Schema.create(server().getPostgresDatabase(), name);
        Schema.migrate(url(name), OWNER, ownerPassword);
        Schema.allow(server().getPostgresDatabase(), "gantry_app", password());
    }

    /** Where the role that owns everything connects, its password included: for operators' tools, never for the API. */
    public String ownerUrl(String database) {
        return ownerUrl(url(database), ownerPassword);
    }

    /** The same of one that another process runs in that folder. */
    public static String ownerUrl(Path folder, String database) throws IOException {
        return ownerUrl(running(folder, database).orElseThrow(), ownerPassword(folder));
    }

    private static String ownerUrl(String url, String password) {
        return url + "?user=" + OWNER + "&password=" + password;
    }

    /** The same of one that another process runs over the folder and that takes connections by now. */
    static Optional<String> running(Path folder, String database) {
        return postmaster(folder).readyPort().map(port -> url(port, database));
    }

    /** Where the API connects, as a role that owns nothing. */
    public String url(String database) {
        return url(Integer.toString(server().getPort()), database);
    }

    private static String url(String port, String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    @Override
    public void close() throws IOException {
        isClosed.set(true);
        server().close();
    }
}
