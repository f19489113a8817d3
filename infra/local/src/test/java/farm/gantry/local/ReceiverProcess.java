package farm.gantry.local;

import farm.gantry.api.main.postgres.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

/** A receiver of webhooks from the documentation, as a process of its own. */
record ReceiverProcess(Process process, int port) implements AutoCloseable {

    /** Starts the program with the file, and waits until it accepts connections. */
    static ReceiverProcess start(String program, Path file, String secret) throws IOException {
        int port = FreePorts.choose(1);
        ProcessBuilder builder = new ProcessBuilder(program, file.toString())
                .redirectErrorStream(true)
                .redirectOutput(Path.of(file + ".log").toFile());
        builder.environment().putAll(Map.of("PORT", String.valueOf(port), "SECRET", secret));
        Process process = builder.start();
        Eventually.until(file + " accepts connections", () -> isListening(port), process::isAlive);
        return new ReceiverProcess(process, port);
    }

    private static boolean isListening(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    String url() {
        return "http://127.0.0.1:" + port + "/";
    }

    /** Sends a delivery that another secret signed, and returns the status of the response. */
    int statusOfForgedDelivery() throws IOException, InterruptedException {
        HttpRequest forged = HttpRequest.newBuilder(URI.create(url()))
                .version(HttpClient.Version.HTTP_1_1)
                .header("webhook-id", "0mwq3f7k2v9x4b8n1c6z5t0p")
                .header("webhook-timestamp", String.valueOf(Instant.now().getEpochSecond()))
                .header("webhook-signature", "v1,ojjhT13MG71lQEbmi6L8j09ln7e5YUR28mSBUS8X1Nk=")
                .POST(HttpRequest.BodyPublishers.ofString("{\"event\":\"test\"}"))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(forged, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    @Override
    public void close() {
        process.destroy();
    }
}
