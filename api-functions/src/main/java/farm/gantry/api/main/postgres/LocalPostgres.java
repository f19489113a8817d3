package farm.gantry.api.main.postgres;

import farm.gantry.Id;
import farm.gantry.api.database.schema.Schema;
import farm.gantry.api.main.process.PostgresPrograms;
import farm.gantry.api.main.process.SecretFile;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.commons.io.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A PostgreSQL server that runs as a child of this process and stores its data in a folder. */
public final class LocalPostgres implements AutoCloseable {
    /** The name of the database. */
    public static final String DATABASE = "gantry";

    /** A disk with less space is full for PostgreSQL, whose segments of the write-ahead log have 16 MB. */
    private static final long MIN_FREE_BYTES = 16L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(LocalPostgres.class);
    /** Major version of the bundled PostgreSQL; another major version cannot read its data. */
    static final String MAJOR = PostgresPrograms.VERSION.substring(0, PostgresPrograms.VERSION.indexOf('.'));

    private static final String OWNER = "postgres";
    /**
     * Maximum start time; after a power cut PostgreSQL first replays its write-ahead log, which is slow on a slow
     * machine.
     */
    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(30);
    /** Content of {@code pg_hba.conf}: only connections from this machine, with a password. */
    private static final String CLIENT_AUTHENTICATION = "host all all 127.0.0.1/32 scram-sha-256\n";

    private final Path folder;
    private final String ownerPassword;
    private final Map<String, String> settings = new TreeMap<>();
    private final int port;
    private final PostgresPrograms programs;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private LocalPostgres(Path folder, Map<String, String> settings) throws IOException {
        this.folder = folder;
        checkMajor();
        this.ownerPassword = ownerPassword(folder);
        this.port = FreePorts.choose();
        this.settings.put("max_connections", "100");
        this.settings.put("listen_addresses", "127.0.0.1");
        this.settings.put("unix_socket_directories", "");
        this.settings.put("timezone", "UTC");
        // Fewer hash iterations make connections faster. More would gain nothing, because the passwords are long and
        // random.
        this.settings.put("scram_iterations", "1");
        // Analyzes new rows within seconds, so that plans made while a table was empty are replaced soon.
        this.settings.put("autovacuum_naptime", "5s");
        this.settings.putAll(settings);
        this.programs = new PostgresPrograms(folder, logFile());
        boolean isNew = !Files.exists(dataFolder().resolve("postgresql.conf"));
        if (isNew || !programs.areUnpacked()) {
            unpackAndInitialize(isNew);
        }
        setMissingPasswords();
        startProcess();
    }

    /** Starts PostgreSQL in the folder, after stopping one that a killed process left running there. */
    public static LocalPostgres start(Path folder) throws IOException {
        return start(folder, Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on"));
    }

    /** Starts PostgreSQL with settings of {@code postgresql.conf}; tests disable durability for speed. */
    public static LocalPostgres start(Path folder, Map<String, String> settings) throws IOException {
        Files.createDirectories(folder);
        return new LocalPostgres(folder, settings);
    }

    /** Whether the folder holds a database, running or not. */
    public static boolean exists(Path folder) {
        return Files.exists(versionFile(folder));
    }

    private static Path versionFile(Path folder) {
        return folder.resolve("data/PG_VERSION");
    }

    private void checkMajor() throws IOException {
        Path file = versionFile(folder);
        String major = Files.exists(file) ? Files.readString(file).strip() : MAJOR;
        if (!major.equals(MAJOR)) {
            throw new IOException("the data in " + folder + " was written by PostgreSQL " + major
                    + ", but this version of Gantry contains PostgreSQL " + MAJOR
                    + ": upgrade the data with pg_upgrade, or start the version of Gantry that wrote it");
        }
    }

    private static String ownerPassword(Path folder) throws IOException {
        return SecretFile.readOrCreate(folder.resolve("owner-password"), Id.random(32));
    }

    /** Returns the password of the role that the API connects with. */
    public static String password(Path folder) throws IOException {
        return SecretFile.readOrCreate(folder.resolve("password"), Id.random(32));
    }

    public String password() throws IOException {
        return password(folder);
    }

    private Path dataFolder() {
        return folder.resolve("data");
    }

    private Path logFile() {
        return folder.resolve("postgres.log");
    }

    private static PostmasterFile postmaster(Path folder) {
        return new PostmasterFile(folder.resolve("data/postmaster.pid"));
    }

    /**
     * Unpacks missing programs and creates missing data. The library does both by starting PostgreSQL, here in a
     * temporary folder, so that data left incomplete by a crash is created again.
     */
    private void unpackAndInitialize(boolean isNew) throws IOException {
        Path made = folder.resolve("data.new");
        new PostmasterFile(made.resolve("postmaster.pid")).stopLeftover();
        FileUtils.deleteDirectory(made.toFile());
        ProcessBuilder.Redirect log = ProcessBuilder.Redirect.appendTo(logFile().toFile());
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(made)
                .setCleanDataDirectory(false)
                .setOverrideWorkingDirectory(programs.archiveFolder().toFile())
                .setRegisterShutdownHook(false)
                .setPGStartupWait(START_TIMEOUT)
                .setPort(port)
                .setConnectConfig("password", ownerPassword)
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8")
                .setLocaleConfig("auth", "scram-sha-256")
                .setLocaleConfig("set", "scram_iterations=1")
                .setLocaleConfig("pwfile", folder.resolve("owner-password").toString())
                .setErrorRedirector(log)
                .setOutputRedirector(log);
        settings.forEach(builder::setServerConfig);
        try (EmbeddedPostgres _ = builder.start()) {
            LOG.debug("creating PostgreSQL's data in {}", made);
        } catch (IOException | RuntimeException e) {
            throw new IOException(whyNotStarted() + ": " + e.getMessage(), e);
        }
        if (isNew) {
            Files.move(made, dataFolder(), StandardCopyOption.ATOMIC_MOVE);
        } else {
            FileUtils.deleteDirectory(made.toFile());
        }
    }

    /**
     * Starts the server process directly. The library would wait for two minutes even if the process ends at once, for
     * example because the disk is full.
     */
    private void startProcess() throws IOException {
        postmaster(folder).stopLeftover();
        StringBuilder options = new StringBuilder("-p " + port);
        settings.forEach(
                (name, value) -> options.append(" -c ").append(name).append('=').append(value));
        Process control = programs.launch(
                "pg_ctl",
                "start",
                "-w",
                "-t",
                Long.toString(START_TIMEOUT.toSeconds()),
                "-D",
                dataFolder().toString(),
                "-o",
                options.toString());
        try {
            // pg_ctl polls only ten times per second
            while (postmaster(folder).readyPort().isEmpty() && !control.waitFor(POLL_INTERVAL)) {}
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (!control.isAlive() && control.exitValue() != 0) {
            throw new IOException(whyNotStarted());
        }
    }

    private String whyNotStarted() throws IOException {
        return Files.getFileStore(folder).getUsableSpace() < MIN_FREE_BYTES
                ? "PostgreSQL did not start, because the disk of " + folder
                        + " is full: free space on it, and start again; see " + logFile()
                : "PostgreSQL did not start; see " + logFile();
    }

    private void stop() throws IOException {
        String patience = Long.toString(STOP_TIMEOUT.toSeconds());
        if (programs.run(
                        "pg_ctl",
                        "stop",
                        "-m",
                        "fast",
                        "-w",
                        "-t",
                        patience,
                        "-D",
                        dataFolder().toString())
                != 0) {
            LOG.warn("PostgreSQL did not stop in time; see {}", logFile());
        }
    }

    /** Sets passwords if an earlier version created the data without them; that version accepted every local user. */
    private void setMissingPasswords() throws IOException {
        Path access = dataFolder().resolve("pg_hba.conf");
        if (!Files.exists(access) || Files.readString(access).equals(CLIENT_AUTHENTICATION)) {
            return;
        }
        if (Files.readString(access).lines().anyMatch(line -> line.matches("[a-z].*\\strust\\s*"))) {
            LOG.info("setting passwords for the PostgreSQL in {}, which an earlier version created without", folder);
            runInSingleUserMode("alter role " + OWNER + " password '" + ownerPassword + "'");
        }
        Files.writeString(access, CLIENT_AUTHENTICATION);
    }

    /** Runs a statement in single-user mode, in which nobody else can connect. */
    private void runInSingleUserMode(String statement) throws IOException {
        postmaster(folder).stopLeftover();
        Process process =
                programs.launch("postgres", "--single", "-D", dataFolder().toString(), OWNER);
        try (Writer writer = process.outputWriter()) {
            writer.write(statement + "\n");
        }
        if (PostgresPrograms.awaitExitStatus(process) != 0) {
            throw new IOException("the passwords of the PostgreSQL roles could not be set; see " + logFile());
        }
    }

    /** Restarts PostgreSQL on its port whenever it ends unexpectedly; {@code notices} is informed. */
    public void restartOnFailure(Consumer<String> notices) {
        if (postmaster(folder).process().isEmpty()) {
            LOG.warn("cannot watch the process of PostgreSQL on this system; it will not be restarted if it ends");
            return;
        }
        Thread.ofVirtual().name("postgres-watch").start(() -> {
            try {
                while (!isClosed.get()) {
                    onProcessEnded();
                    if (!isClosed.get()) {
                        notices.accept("PostgreSQL ended unexpectedly and is restarted; see " + logFile());
                        restart();
                        notices.accept("PostgreSQL was restarted");
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void onProcessEnded() throws InterruptedException {
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
                startProcess();
                if (isClosed.get()) {
                    stop();
                }
                return;
            } catch (IOException | RuntimeException e) {
                LOG.error("PostgreSQL did not start, retrying: {}", e.getMessage(), e);
                Thread.sleep(pause);
                pause = pause.compareTo(MAX_PAUSE) < 0 ? pause.multipliedBy(2) : MAX_PAUSE;
            }
        }
    }

    /** Whether a PostgreSQL, of this process or another, runs in the folder. */
    public static boolean isRunning(Path folder) {
        return postmaster(folder).process().isPresent();
    }

    /** Creates the database if it is missing, and migrates its tables to this version. */
    public void prepareDatabase(String name) throws IOException {
        Schema.createDatabase(url(OWNER), OWNER, ownerPassword, name);
        Schema.migrate(url(name), OWNER, ownerPassword, password());
    }

    /**
     * Returns the JDBC URL, including the password, of the role that owns everything. It is for administration, never
     * for the API.
     */
    public String ownerUrl(String database) {
        return ownerUrl(url(database), ownerPassword);
    }

    /** Returns the owner's URL of a PostgreSQL that another process runs in that folder. */
    public static String ownerUrl(Path folder, String database) throws IOException {
        return ownerUrl(findRunningUrl(folder, database).orElseThrow(), ownerPassword(folder));
    }

    private static String ownerUrl(String url, String password) {
        return url + "?user=" + OWNER + "&password=" + password;
    }

    /** Returns the owner's URL of a PostgreSQL that another process runs in the folder, once it accepts connections. */
    public static Optional<String> findRunningUrl(Path folder, String database) {
        return postmaster(folder).readyPort().map(port -> url(port, database));
    }

    /** Returns the JDBC URL of the API, whose role owns nothing. */
    public String url(String database) {
        return url(Integer.toString(port), database);
    }

    private static String url(String port, String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    @Override
    public void close() throws IOException {
        if (!isClosed.getAndSet(true)) {
            stop();
        }
    }
}
