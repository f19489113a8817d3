package farm.gantry.api.main;

import farm.gantry.api.store.Schema;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A real PostgreSQL that belongs to this process and keeps its data, durably, in a folder. */
public final class LocalPostgres implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalPostgres.class);
    private static final String OWNER = "postgres";
    private static final int PORT_LINE = 3;
    private static final int READY_LINE = 7;
    /** After a power cut it goes through its log first, which a slow machine takes its time over. */
    private static final Duration START = Duration.ofMinutes(2);

    private static final Duration STOP = Duration.ofSeconds(20);

    private final EmbeddedPostgres server;

    private LocalPostgres(EmbeddedPostgres server) {
        this.server = server;
    }

    /** Starts it in the folder, after stopping one that a killed process left running there. */
    public static LocalPostgres start(Path folder) throws IOException {
        return start(folder, Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on"));
    }

    /** Starts it with settings of {@code postgresql.conf}; tests trade durability for speed here. */
    public static LocalPostgres start(Path folder, Map<String, String> settings) throws IOException {
        Path data = folder.resolve("data");
        Files.createDirectories(folder);
        stopLeftover(data);
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setOverrideWorkingDirectory(folder.resolve("binaries").toFile())
                .setRegisterShutdownHook(false)
                .setPGStartupWait(START)
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8")
                .setServerConfig("max_connections", "100")
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setErrorRedirector(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("postgres.log").toFile()))
                .setOutputRedirector(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("postgres.log").toFile()));
        settings.forEach(builder::setServerConfig);
        return new LocalPostgres(builder.start());
    }

    /** The first line of {@code postmaster.pid} is the process; a number that is someone else's now is left alone. */
    private static void stopLeftover(Path data) throws IOException {
        Path pidFile = data.resolve("postmaster.pid");
        if (!Files.exists(pidFile)) {
            return;
        }
        List<String> lines = Files.readAllLines(pidFile);
        Optional<ProcessHandle> leftover = lines.isEmpty()
                ? Optional.empty()
                : ProcessHandle.of(Long.parseLong(lines.getFirst().strip()))
                        .filter(process -> process.info()
                                .command()
                                .filter(command -> command.endsWith("postgres"))
                                .isPresent());
        if (leftover.isPresent()) {
            LOG.info("stopping the PostgreSQL that a killed process left behind");
            leftover.get().destroy();
            try {
                leftover.get().onExit().get(STOP.toSeconds(), TimeUnit.SECONDS);
            } catch (java.util.concurrent.TimeoutException e) {
                leftover.get().destroyForcibly();
            } catch (java.util.concurrent.ExecutionException e) {
                throw new IOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
        Files.deleteIfExists(pidFile);
    }

    /** A database of that name with this version's tables, made when it is missing. */
    public void prepare(String name) {
        Schema.create(server.getPostgresDatabase(), name);
        Schema.migrate(url(name), OWNER, "");
    }

    /** The same of one that another process runs over the folder and that takes connections by now. */
    static Optional<String> running(Path folder, String database) {
        try {
            List<String> lines = Files.readAllLines(folder.resolve("data/postmaster.pid"));
            return lines.size() > READY_LINE && lines.get(READY_LINE).strip().equals("ready")
                    ? Optional.of(url(lines.get(PORT_LINE).strip(), database))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
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
        server.close();
    }
}
