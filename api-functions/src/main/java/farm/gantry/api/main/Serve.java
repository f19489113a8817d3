package farm.gantry.api.main;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code serve}: the one-machine install as a process of its own. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = "Runs PostgreSQL, API and worker over one folder.")
public final class Serve implements Runnable {
    @Option(names = "--data", defaultValue = ".gantry", description = "folder of all data (${DEFAULT-VALUE})")
    Path data = Path.of(".gantry");

    @Option(names = "--port", defaultValue = "8080", description = "port of the API (${DEFAULT-VALUE})")
    int port;

    @Option(names = "--host", defaultValue = "127.0.0.1", description = "address to listen on (${DEFAULT-VALUE})")
    String host = "127.0.0.1";

    @Option(names = "--set", description = "a configuration key, as name=value")
    Map<String, String> settings = Map.of();

    public static void main(String[] arguments) {
        int status = new CommandLine(new Serve()).execute(arguments);
        if (status != 0) {
            System.exit(status);
        }
    }

    @Override
    public void run() {
        Map<String, Object> properties = new HashMap<>(settings);
        properties.put("micronaut.server.port", port);
        properties.put("micronaut.server.host", host);
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        try (OneMachine machine = OneMachine.start(data.toAbsolutePath(), properties)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(stopped, closed), "closing"));
            System.out.println("url " + machine.url());
            machine.ownerKey().ifPresent(key -> System.out.println("key " + key));
            stopped.await();
        } catch (IOException e) {
            throw new CommandLine.ExecutionException(new CommandLine(this), "cannot start: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closed.countDown();
        }
    }

    /** The process ends with its hooks, so this one waits until everything is closed. */
    private static void stop(CountDownLatch stopped, CountDownLatch closed) {
        stopped.countDown();
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
