package farm.gantry.edge.camera;

import farm.gantry.edge.refusal.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A camera that shows a picture, or a film, at an address of its own. */
public record Camera(HttpClient http, URI address) {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int PIECE = 1 << 14;

    /** At the address that a printer tells, who sees itself from inside: it may be a mere path, or name itself. */
    public static Camera of(HttpClient http, URI web, String told) throws Refusal {
        try {
            URI address = web.resolve(new URI(told));
            if (!String.valueOf(address.getScheme()).matches("https?")) {
                throw new Refusal("the printer's camera shows nothing over HTTP: " + told);
            }
            String host = address.getHost();
            if (host == null) {
                throw new Refusal("the printer's camera has no address: " + told);
            }
            boolean inside = host.matches("localhost|127\\..*|\\[::1]");
            return new Camera(http, inside ? at(address, web.getHost()) : address);
        } catch (URISyntaxException e) {
            throw new Refusal("the printer's camera has no address: " + told);
        }
    }

    private static URI at(URI address, String host) throws URISyntaxException {
        String port = address.getPort() < 0 ? "" : ":" + address.getPort();
        String query = address.getRawQuery() == null ? "" : "?" + address.getRawQuery();
        return new URI(address.getScheme() + "://" + host + port + address.getRawPath() + query);
    }

    public Picture picture() throws IOException, Refusal, InterruptedException {
        HttpResponse<InputStream> response = open();
        try (InputStream body = response.body()) {
            endSoon(body);
            String type = response.headers().firstValue("Content-Type").orElse("");
            return type.startsWith("multipart/")
                    ? Film.picture(body)
                    : Picture.of(body.readNBytes(Picture.LARGEST + 1));
        }
    }

    /** Out of a film that is not made of pictures. */
    public Picture picture(Decoder decoder, String format) throws IOException, Refusal, InterruptedException {
        try (InputStream film = open().body()) {
            byte[] buffer = new byte[PIECE];
            return decoder.picture(format, () -> Arrays.copyOf(buffer, Math.max(0, film.read(buffer))));
        }
    }

    private HttpResponse<InputStream> open() throws IOException, Refusal, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address).timeout(PATIENCE).build();
        HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            response.body().close();
            throw new Refusal("the printer's camera answers with status " + response.statusCode());
        }
        return response;
    }

    /** A camera that stops in the middle of a picture is waited for no longer. */
    private static void endSoon(InputStream body) {
        CompletableFuture.delayedExecutor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    try {
                        body.close();
                    } catch (IOException e) {
                        // It was closed.
                    }
                });
    }
}
