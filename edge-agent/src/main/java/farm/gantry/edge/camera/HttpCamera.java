package farm.gantry.edge.camera;

import farm.gantry.edge.refusal.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A camera that serves an image or a video at an HTTP address. */
public record HttpCamera(HttpClient http, URI address) {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Returns the camera at the address that a printer reports, which must be on the printer's own host. */
    public static HttpCamera of(HttpClient http, URI web, String reported) throws Refusal {
        return of(http, web, reported, Set.of());
    }

    /**
     * Returns the camera at the address that a printer reports. The address may be relative to {@code web}, and name
     * the host of {@code web} or the loopback interface of the printer. Of other hosts only those in {@code
     * cameraHosts} are asked, because anybody who can set a printer's camera would otherwise reach any server in the
     * agent's network.
     */
    public static HttpCamera of(HttpClient http, URI web, String reported, Set<String> cameraHosts) throws Refusal {
        try {
            URI address = web.resolve(new URI(reported));
            if (!String.valueOf(address.getScheme()).matches("https?")) {
                throw new Refusal("the printer's camera has no HTTP address: " + reported);
            }
            String host = address.getHost();
            if (host == null) {
                throw new Refusal("the printer reports an invalid camera address: " + reported);
            }
            if (isSameHost(host, web.getHost())) {
                return new HttpCamera(http, withHost(address, web.getHost()));
            }
            if (cameraHosts.contains(host)) {
                return new HttpCamera(http, address);
            }
            throw new Refusal("the printer reports a camera on another host, " + host
                    + ": to allow it, add it to the option --camera-hosts of the agent");
        } catch (URISyntaxException e) {
            throw new Refusal("the printer reports an invalid camera address: " + reported);
        }
    }

    private static boolean isSameHost(String host, String own) {
        if (host.equalsIgnoreCase(own) || host.matches("localhost|127\\..*|\\[::1]")) {
            return true;
        }
        try {
            return Arrays.asList(InetAddress.getAllByName(own)).contains(InetAddress.getByName(host));
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static URI withHost(URI address, String host) throws URISyntaxException {
        String port = address.getPort() < 0 ? "" : ":" + address.getPort();
        String query = address.getRawQuery() == null ? "" : "?" + address.getRawQuery();
        return new URI(address.getScheme() + "://" + host + port + address.getRawPath() + query);
    }

    public CameraImage readImage() throws IOException, Refusal, InterruptedException {
        HttpResponse<InputStream> response = open();
        try (InputStream body = response.body()) {
            closeAfterTimeout(body);
            String type = response.headers().firstValue("Content-Type").orElse("");
            return type.startsWith("multipart/")
                    ? MjpegReader.readFirstImage(body)
                    : CameraImage.of(body.readNBytes(CameraImage.MAX_SIZE + 1));
        }
    }

    /** Returns the first image of a video in a format that only ffmpeg decodes. */
    public CameraImage readImage(Ffmpeg ffmpeg, String format) throws IOException, Refusal, InterruptedException {
        try (InputStream video = open().body()) {
            return ffmpeg.extractFirstImage(format, video);
        }
    }

    private HttpResponse<InputStream> open() throws IOException, Refusal, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address).timeout(TIMEOUT).build();
        HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            response.body().close();
            throw new Refusal("the printer's camera answers with status " + response.statusCode());
        }
        return response;
    }

    /** Closes the body of a response after a timeout, because a camera may stop sending in the middle of an image. */
    private static void closeAfterTimeout(InputStream body) {
        CompletableFuture.delayedExecutor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    try {
                        body.close();
                    } catch (IOException e) {
                        // It was closed.
                    }
                });
    }
}
