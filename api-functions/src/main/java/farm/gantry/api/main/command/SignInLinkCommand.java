package farm.gantry.api.main.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code link}: prints a link that signs one browser in to the console of the server on this machine. */
@Command(
        name = "link",
        mixinStandardHelpOptions = true,
        description = "Prints a link that signs one browser in to the console, for ten minutes.")
final class SignInLinkCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Option(
            names = "--key-file",
            required = true,
            description = "file with the owner's API key, as written by serve --key-file")
    Path keyFile = Path.of("owner.key");

    @Option(names = "--port", defaultValue = "8080", description = "port of the server (default: ${DEFAULT-VALUE})")
    int port;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            description = "address of the server (default: ${DEFAULT-VALUE})")
    String host = "127.0.0.1";

    @Option(names = "--url", description = "URL of the server in the browser (default: http://localhost:PORT)")
    @Nullable
    String url;

    @Override
    public Integer call() throws IOException, InterruptedException {
        String address = url != null ? url : "http://localhost:" + port;
        // Browsers do not send the fragment of an address, and servers do not log it.
        System.out.println(address + "/console/#code=" + requestCode());
        return 0;
    }

    private String requestCode() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + "/v1/sessions/codes"))
                .timeout(TIMEOUT)
                .header("authorization", "ApiKey " + Files.readString(keyFile).strip())
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 201) {
                throw new IOException(
                        "the server responded with status " + response.statusCode() + ": " + response.body());
            }
            return readMember(response.body(), "code");
        } catch (ConnectException e) {
            throw new IOException("no server responds at " + host + ":" + port, e);
        }
    }

    /** Returns a text member of a flat JSON object. */
    static String readMember(String json, String name) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.FIELD_NAME
                        && parser.currentName().equals(name)) {
                    return parser.nextTextValue();
                }
            }
        }
        throw new IOException("the response of the server has no " + name);
    }
}
