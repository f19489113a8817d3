package farm.gantry.local;

import farm.gantry.api.main.postgres.FreePorts;
import farm.gantry.api.main.postgres.LocalPostgres;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** PgBouncer of this machine, which gives each transaction one of a few sessions of a database. */
record PgBouncer(Process process, String url) implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");
    private static final String TIMEOUTS = "set statement_timeout = ''30s''; set lock_timeout = ''10s'';"
            + " set idle_in_transaction_session_timeout = ''0''";

    /** Starts PgBouncer for the role {@code gantry_app}; empty where it is not installed. */
    static Optional<PgBouncer> start(Path folder, LocalPostgres postgres, String database, String password)
            throws IOException {
        if (!Files.isExecutable(PROGRAM)) {
            return Optional.empty();
        }
        int port = FreePorts.choose();
        URI server = URI.create(postgres.url(database).substring("jdbc:".length()));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path own = Files.createDirectory(folder.resolve("pgbouncer"));
        Path users = Files.writeString(own.resolve("users"), "\"gantry_app\" \"" + password + "\"\n");
        Path configuration = Files.writeString(
                own.resolve("pgbouncer.ini"), """
                [databases]
                %1$s = host=127.0.0.1 port=%2$d dbname=%1$s connect_query='%5$s'
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %3$d
                unix_socket_dir =
                auth_type = scram-sha-256
                auth_file = %4$s
                pool_mode = transaction
                default_pool_size = 6
                ignore_startup_parameters = extra_float_digits
                """.formatted(database, server.getPort(), port, users, TIMEOUTS));
        List<String> command = new ArrayList<>(List.of(PROGRAM.toString(), configuration.toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(1, List.of("-u", "nobody")); // it refuses to run as root
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(own.resolve("output.log").toFile())
                .start();
        Eventually.until(
                "PgBouncer listens",
                () -> NginxProxy.accepts(port),
                () -> process.isAlive() ? "it runs" : "it has ended");
        return Optional.of(new PgBouncer(process, "jdbc:postgresql://127.0.0.1:" + port + "/" + database));
    }

    @Override
    public void close() {
        process.destroy();
    }
}
