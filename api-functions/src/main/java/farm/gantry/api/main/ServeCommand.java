package farm.gantry.api.main;

import farm.gantry.api.main.process.SecretFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code serve}: runs the one-machine installation in the foreground. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = "Runs PostgreSQL, API and worker over one folder.")
public final class ServeCommand implements Runnable {
    /** Prefix of the output lines that an operator should read. */
    public static final String NOTICE = "notice ";

    @Option(names = "--data", defaultValue = ".gantry", description = "data folder (default: ${DEFAULT-VALUE})")
    Path data = Path.of(".gantry");

    @Option(
            names = "--jdbc-url",
            description = "JDBC URL of a database that several processes share, instead of one in the data folder. Set"
                    + " DATASOURCES_DEFAULT_PASSWORD, GANTRY_PEPPER, GANTRY_SECRET_KEY and GANTRY_FILES_FOLDER, or"
                    + " GANTRY_AWS_REGION and GANTRY_AWS_BUCKET, to the same values for all processes")
    @Nullable
    String jdbcUrl;

    @Option(names = "--port", defaultValue = "8080", description = "port of the API (default: ${DEFAULT-VALUE})")
    int port;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            description = "address to listen on (default: ${DEFAULT-VALUE})")
    String host = "127.0.0.1";

    @Option(
            names = "--key-file",
            description =
                    "file to which the first start writes the owner's API key, readable only by this user; printed without this option")
    @Nullable
    Path keyFile;

    @Option(names = "--set", description = "a setting as name=value; may be repeated")
    Map<String, String> settings = Map.of();

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    public static void main(String[] arguments) {
        int status = new CommandLine(new ServeCommand())
                .setExecutionExceptionHandler((failure, command, _) -> {
                    StartFailureMessage.print(failure, "cannot start: ", command.getErr());
                    return 1;
                })
                .execute(arguments);
        if (status != 0) {
            System.exit(status);
        }
    }

    @Override
    public void run() {
        Map<String, Object> properties = new HashMap<>(settings);
        properties.put("micronaut.server.port", port);
        properties.put("micronaut.server.host", host);
        properties.putIfAbsent(ServerMonitoring.PORT, port + 1);
        try {
            if (jdbcUrl == null) {
                try (StandaloneServer machine =
                        StandaloneServer.start(data.toAbsolutePath(), properties, new ConsoleOutput())) {
                    serve(machine.url());
                }
            } else {
                Map<String, Object> shared = SharedInstallSettings.forApi(jdbcUrl, properties);
                shared.putAll(TlsSettings.toMicronautSettings(properties));
                try (ServerMonitoring monitoring = ServerMonitoring.start(shared, new ConsoleOutput());
                        ApiServer service = ApiServer.start(
                                ApiServer.newContext(),
                                data.toAbsolutePath(),
                                shared,
                                monitoring,
                                new ConsoleOutput(),
                                _ -> {})) {
                    serve(service.url());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closed.countDown();
        }
    }

    /** Runs until the process is asked to stop. */
    private void serve(String url) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAndWait(stopped, closed), "closing"));
        System.out.println("url " + url);
        stopped.await();
    }

    /** Prints events to standard output. The owner's key is written to {@code --key-file} if that is set. */
    private final class ConsoleOutput implements InstallListener {
        @Override
        public void onNotice(String notice) {
            System.out.println(NOTICE + notice);
        }

        @Override
        public void onOwnerKey(String key) {
            if (keyFile == null) {
                System.out.println("key " + key);
                return;
            }
            try {
                SecretFile.write(keyFile, key);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * Requests the shutdown and waits until everything is closed, because the JVM exits when its shutdown hooks return.
     */
    private static void stopAndWait(CountDownLatch stopped, CountDownLatch closed) {
        stopped.countDown();
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
