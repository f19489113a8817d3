package farm.gantry.edge.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** What all makes that speak HTTP have in common. */
public final class PrinterHttp {
    private static final Duration LEAST = Duration.ofMinutes(2);
    private static final int SLOWEST_BYTES_PER_SECOND = 100_000;

    private PrinterHttp() {}

    /** Keeps connections alive, and never tries again what may have been done: only a GET. */
    public static HttpClient client() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(10))
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
    }

    /** How long the file may take to a printer on a slow network. */
    public static Duration uploadTime(Path file) throws IOException {
        return LEAST.plusSeconds(Files.size(file) / SLOWEST_BYTES_PER_SECOND);
    }

    /** The first that is told, or {@code absent}. */
    public static String host(String absent, @Nullable String... told) {
        for (String host : told) {
            if (host != null && !host.isBlank()) {
                return host;
            }
        }
        return absent;
    }
}
