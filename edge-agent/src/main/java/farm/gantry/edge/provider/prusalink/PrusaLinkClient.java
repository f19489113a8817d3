package farm.gantry.edge.provider.prusalink;

import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.http.DigestChallenge;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.http.PrinterResponse;
import farm.gantry.edge.http.TimeLimitedExchange;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.PinnedIdentity;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests to one PrusaLink. Queries use one reused connection, changes a second one, and an upload a third. Its server
 * accepts three in all, so each caller waits for the response before the next request.
 */
final class PrusaLinkClient {
    private static final int LOGINS = 2;
    private static final int NOT_FOUND = 404;

    private final HttpClient http;
    private final PrusaLinkAddress address;
    private final PinnedIdentity pin;
    private final Duration timeout;
    private volatile PrusaLinkLogin login = new PrusaLinkLogin.NoLogin();

    /** Creates a client; {@code timeout} is the time limit for status requests. */
    PrusaLinkClient(HttpClient http, PrusaLinkAddress address, PinnedIdentity pin, Duration timeout) {
        this.http = http;
        this.address = address;
        this.pin = pin;
        this.timeout = timeout;
    }

    Map<String, Object> status() throws IOException, Refusal, InterruptedException {
        return send(PrinterRequest.of("GET", "/api/v1/status").withTimeout(timeout))
                .parseJson();
    }

    /**
     * Requests the status with a new nonce. Called before an upload, because a nonce that expires during the upload
     * would make the client send the file again.
     */
    Map<String, Object> freshStatus() throws IOException, Refusal, InterruptedException {
        login = new PrusaLinkLogin.NoLogin();
        return status();
    }

    /** Throws if the address belongs to another printer. */
    void requireSameMachine() throws IOException, Refusal, InterruptedException {
        requireSameMachine(null);
    }

    private void requireSameMachine(@Nullable HttpClient own) throws IOException, Refusal, InterruptedException {
        pin.check(serial(text(admitted(own, info(), PrinterHttp.limitedText()))), address);
    }

    private PrinterRequest info() {
        return PrinterRequest.of("GET", "/api/v1/info").withTimeout(timeout);
    }

    /** Returns the serial number of the machine; null if PrusaLink does not report it. */
    private static @Nullable String serial(PrinterResponse answer) throws IOException {
        String serial = answer.status() == NOT_FOUND ? null : Tree.text(answer.parseJson(), "serial");
        return serial == null || serial.isBlank() ? null : serial;
    }

    /** Returns an empty job without one. */
    Map<String, Object> job() throws IOException, Refusal, InterruptedException {
        PrinterResponse answer = send(PrinterRequest.of("GET", "/api/v1/job").withTimeout(timeout));
        return answer.status() == 204 ? Map.of() : answer.parseJson();
    }

    /**
     * Returns the name of the file that a Raspberry Pi printed last; it keeps it until PrusaLink restarts. Null after a
     * restart, and for printers whose firmware is the server.
     */
    @Nullable
    String lastFileName() throws IOException, Refusal, InterruptedException {
        PrinterResponse answer = send(PrinterRequest.of("GET", "/api/job").withTimeout(timeout));
        return answer.isSuccess() ? Tree.text(answer.parseJson(), "job", "file", "name") : null;
    }

    PrinterResponse send(PrinterRequest request) throws IOException, Refusal, InterruptedException {
        return text(admitted(null, request, PrinterHttp.limitedText()));
    }

    /** Sends a change to this printer and no other. */
    PrinterResponse change(PrinterRequest request) throws IOException, Refusal, InterruptedException {
        return PrinterHttp.sendChange(
                http, this::requireSameMachine, own -> text(admitted(own, request, PrinterHttp.limitedText())));
    }

    private static PrinterResponse text(HttpResponse<String> answer) {
        return new PrinterResponse(answer.statusCode(), answer.body());
    }

    /** Returns the camera image, if there is a camera. */
    CameraImage picture() throws IOException, Refusal, InterruptedException {
        HttpResponse<byte[]> answer = admitted(
                null,
                PrinterRequest.of("GET", "/api/v1/cameras/snap"),
                BodyHandlers.limiting(BodyHandlers.ofByteArray(), CameraImage.MAX_SIZE));
        if (answer.statusCode() != 200) {
            throw new Refusal("PrusaLink has no camera with snapshots");
        }
        return CameraImage.of(answer.body());
    }

    /**
     * Repeats a request that was refused with a fresh challenge, with the password as API key, and then fails. It uses
     * the connection {@code own}, or the shared client if that is null.
     */
    private <T> HttpResponse<T> admitted(@Nullable HttpClient own, PrinterRequest request, BodyHandler<T> body)
            throws IOException, Refusal, InterruptedException {
        HttpResponse<T> answer = sendOnce(own, request, body);
        for (int tried = 0; answer.statusCode() == 401 && tried < LOGINS; tried++) {
            login = next(DigestChallenge.parse(answer.headers()), tried == 0);
            answer = sendOnce(own, request, body);
        }
        if (answer.statusCode() == 401 || answer.statusCode() == 403) {
            login = new PrusaLinkLogin.NoLogin();
            throw new Refusal("PrusaLink rejects the password");
        }
        return answer;
    }

    private PrusaLinkLogin next(@Nullable DigestChallenge digest, boolean first) {
        return digest != null && (first || digest.isStale())
                ? new PrusaLinkLogin.DigestLogin(digest, address.password())
                : new PrusaLinkLogin.ApiKeyLogin(address.password());
    }

    private <T> HttpResponse<T> sendOnce(@Nullable HttpClient own, PrinterRequest request, BodyHandler<T> body)
            throws IOException, InterruptedException {
        HttpRequest.Builder builder = request.toHttpRequest(address.http(request.path()));
        login.sign(builder, request.method(), request.path());
        return own == null
                ? PrinterHttp.exchange(http, builder.build(), body)
                : TimeLimitedExchange.send(own, builder.build(), body);
    }
}
