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

/** {@code serve}: the one-machine install as a process of its own. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = "Runs PostgreSQL, API and worker over one folder.")
public final class ServeCommand implements Runnable {
    /** How a line begins that the operator should see. */
    public static final String NOTICE = "notice ";

    @Option(names = "--data", defaultValue = ".gantry", description = "folder of all data (${DEFAULT-VALUE})")
    Path data = Path.of(".gantry");

    @Option(
            names = "--jdbc-url",
            description =
                    "a database of several processes, instead of one in the folder, which is this process's own then;"
                            + " DATASOURCES_DEFAULT_PASSWORD, GANTRY_PEPPER, GANTRY_SECRET_KEY and GANTRY_FILES_FOLDER, or"
                            + " GANTRY_AWS_REGION and GANTRY_AWS_BUCKET, are the same for all of them")
    @Nullable
    String jdbcUrl;

    @Option(names = "--port", defaultValue = "8080", description = "port of the API (${DEFAULT-VALUE})")
    int port;

    @Option(names = "--host", defaultValue = "127.0.0.1", description = "address to listen on (${DEFAULT-VALUE})")
    String host = "127.0.0.1";

    @Option(
            names = "--key-file",
            description =
                    "where the first start puts the owner's key, readable by this user alone; it is shown otherwise")
    @Nullable
    Path keyFile;

    @Option(names = "--set", description = "a configuration key, as name=value")
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
                try (StandaloneServer machine = StandaloneServer.start(data.toAbsolutePath(), properties, new ConsoleOutput())) {
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

    /** Returns when the process is asked to end. */
    private void serve(String url) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAndWait(stopped, closed), "closing"));
        System.out.println("url " + url);
        stopped.await();
    }

    /** Lines of standard output; the owner's key goes to its file, if one is named. */
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

    /** The process ends with its hooks, so this one waits until everything is closed. */
    private static void stopAndWait(CountDownLatch stopped, CountDownLatch closed) {
        stopped.countDown();
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
