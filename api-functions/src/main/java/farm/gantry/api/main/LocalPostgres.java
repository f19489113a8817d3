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
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private final String ownerPassword;
    private final EmbeddedPostgres server;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private LocalPostgres(Path folder, Map<String, String> settings) throws IOException {
        this.folder = folder;
        checkMajor();
        this.ownerPassword = ownerPassword(folder);
        secure();
        this.server = started(settings);
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

    private Path data() {
        return folder.resolve("data");
    }

    private Path log() {
        return folder.resolve("postgres.log");
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

    private EmbeddedPostgres started(Map<String, String> settings) throws IOException {
        postmaster(folder).stopLeftover();
        ProcessBuilder.Redirect log = ProcessBuilder.Redirect.appendTo(log().toFile());
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(data())
                .setCleanDataDirectory(false)
                .setOverrideWorkingDirectory(binaries(folder).toFile())
                .setRegisterShutdownHook(false)
                .setPGStartupWait(START)
                .setPort(FreePort.choose())
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
        try {
            return builder.start();
        } catch (IOException | RuntimeException e) {
            throw new IOException("PostgreSQL did not start; see " + log() + ": " + e.getMessage(), e);
        }
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
        if (run(program, List.of("--single", "-D", data().toString(), OWNER), statement + "\n") != 0) {
            throw new IOException("PostgreSQL could not be given passwords; see " + log());
        }
    }

    /** Runs one of its programs to its end and returns its exit status; what it says goes to the log. */
    private int run(Path program, List<String> arguments, String input) throws IOException {
        List<String> command = new ArrayList<>();
        if (Integer.valueOf(0).equals(Files.getAttribute(folder, "unix:uid"))) {
            command.addAll(List.of("unshare", "-U")); // PostgreSQL does not run as root
        }
        command.add(program.toString());
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
        try (Writer writer = process.outputWriter()) {
            writer.write(input);
        }
        try {
            return process.waitFor();
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
                        notices.accept("PostgreSQL has ended and is started again; see " + log());
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
        Duration pause = FIRST_PAUSE;
        while (!isClosed.get()) {
            try {
                startAgain();
                return;
            } catch (IOException | RuntimeException e) {
                LOG.error("PostgreSQL did not start: {}", e.getMessage(), e);
                Thread.sleep(pause);
                pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
    }

    /**
     * Starts it with the options of its last start. Not by the library, which waits two minutes for a process that has ended
     * at once, as one does whose disk is full, and keeps its lock of the folder then.
     */
    private void startAgain() throws IOException {
        postmaster(folder).stopLeftover();
        String options = Files.readString(data().resolve("postmaster.opts"));
        Path program = Path.of(options.substring(0, options.indexOf(" \"")));
        List<String> arguments =
                List.of("restart", "-w", "-t", Long.toString(START.toSeconds()), "-D", data().toString());
        int status = run(program.resolveSibling("pg_ctl"), arguments, "");
        if (status != 0) {
            throw new IOException("pg_ctl ended with " + status + "; see " + log());
        } else if (isClosed.get()) {
            postmaster(folder).stopLeftover();
        }
    }

    /** Whether one runs over the folder, of this process or another. */
    static boolean isRunning(Path folder) {
        return postmaster(folder).process().isPresent();
    }

    /** A database of that name with this version's tables, made when it is missing. */
    public void prepare(String name) throws IOException {
        Schema.create(server.getPostgresDatabase(), name);
        Schema.migrate(url(name), OWNER, ownerPassword);
        Schema.allow(server.getPostgresDatabase(), "gantry_app", password());
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
        return url(Integer.toString(server.getPort()), database);
    }

    private static String url(String port, String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    @Override
    public void close() throws IOException {
        isClosed.set(true);
        server.close();
    }
}
