package farm.gantry.edge.provider.prusalink;

import farm.gantry.edge.camera.CameraPicture;
import farm.gantry.edge.http.DigestChallenge;
import farm.gantry.edge.http.Exchange;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.http.PrinterResponse;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.Pin;
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
 * What one PrusaLink is asked, over one connection that is kept, and told, over one more, while a file may go over a third: its
 * server has three in all, so whoever asks or tells waits for the answer before he does so again.
 */
final class PrusaLinkClient {
    private static final int LOGINS = 2;
    private static final int NOT_FOUND = 404;

    private final HttpClient http;
    private final PrusaLinkAddress address;
    private final Pin pin;
    private final Duration timeout;
    private volatile PrusaLinkLogin login = new PrusaLinkLogin.None();

    /** {@code timeout}: within it the printer must tell how it does. */
    PrusaLinkClient(HttpClient http, PrusaLinkAddress address, Pin pin, Duration timeout) {
        this.http = http;
        this.address = address;
        this.pin = pin;
        this.timeout = timeout;
    }

    Map<String, Object> status() throws IOException, Refusal, InterruptedException {
        return send(PrinterRequest.of("GET", "/api/v1/status").within(timeout)).tree();
    }

    /** As {@link #status()}, with a nonce of now: one that ages out under an upload would have it sent again. */
    Map<String, Object> statusAnew() throws IOException, Refusal, InterruptedException {
        login = new PrusaLinkLogin.None();
        return status();
    }

    /** Fails where the address was given to another printer. */
    void requireSameMachine() throws IOException, Refusal, InterruptedException {
        requireSameMachine(null);
    }

    private void requireSameMachine(@Nullable HttpClient own) throws IOException, Refusal, InterruptedException {
        pin.check(serial(text(admitted(own, info(), PrinterHttp.text()))), address);
    }

    private PrinterRequest info() {
        return PrinterRequest.of("GET", "/api/v1/info").within(timeout);
    }

    /** The serial number of the machine; null where PrusaLink does not tell it. */
    private static @Nullable String serial(PrinterResponse answer) throws IOException {
        String serial = answer.status() == NOT_FOUND ? null : Tree.text(answer.tree(), "serial");
        return serial == null || serial.isBlank() ? null : serial;
    }

    /** Empty without a job. */
    Map<String, Object> job() throws IOException, Refusal, InterruptedException {
        PrinterResponse answer = send(PrinterRequest.of("GET", "/api/v1/job").within(timeout));
        return answer.status() == 204 ? Map.of() : answer.tree();
    }

    /**
     * Returns the name of the file that a Raspberry Pi printed last; it keeps it until PrusaLink restarts. Null after a restart, and for
     * printers whose firmware is the server.
     */
    @Nullable
    String lastFileName() throws IOException, Refusal, InterruptedException {
        PrinterResponse answer = send(PrinterRequest.of("GET", "/api/job").within(timeout));
        return answer.isDone() ? Tree.text(answer.tree(), "job", "file", "name") : null;
    }

    PrinterResponse send(PrinterRequest request) throws IOException, Refusal, InterruptedException {
        return text(admitted(null, request, PrinterHttp.text()));
    }

    /** Changes something at this printer and no other. */
    PrinterResponse change(PrinterRequest request) throws IOException, Refusal, InterruptedException {
        return PrinterHttp.change(
                http, this::requireSameMachine, own -> text(admitted(own, request, PrinterHttp.text())));
    }

    private static PrinterResponse text(HttpResponse<String> answer) {
        return new PrinterResponse(answer.statusCode(), answer.body());
    }

    /** What a camera shows, where there is one. */
    CameraPicture picture() throws IOException, Refusal, InterruptedException {
        HttpResponse<byte[]> answer = admitted(
                null,
                PrinterRequest.of("GET", "/api/v1/cameras/snap"),
                BodyHandlers.limiting(BodyHandlers.ofByteArray(), CameraPicture.MAX_SIZE));
        if (answer.statusCode() != 200) {
            throw new Refusal("PrusaLink has no camera that shows pictures");
        }
        return CameraPicture.of(answer.body());
    }

    /**
     * A request refused with a fresh challenge is repeated with the password as API key, and then fails. It goes over the
     * connection {@code own}, or over any where that is null.
     */
    private <T> HttpResponse<T> admitted(@Nullable HttpClient own, PrinterRequest request, BodyHandler<T> body)
            throws IOException, Refusal, InterruptedException {
        HttpResponse<T> answer = once(own, request, body);
        for (int tried = 0; answer.statusCode() == 401 && tried < LOGINS; tried++) {
            login = next(DigestChallenge.of(answer.headers()), tried == 0);
            answer = once(own, request, body);
        }
        if (answer.statusCode() == 401 || answer.statusCode() == 403) {
            login = new PrusaLinkLogin.None();
            throw new Refusal("PrusaLink does not accept the password");
        }
        return answer;
    }

    private PrusaLinkLogin next(@Nullable DigestChallenge digest, boolean first) {
        return digest != null && (first || digest.isStale())
                ? new PrusaLinkLogin.Challenged(digest, address.password())
                : new PrusaLinkLogin.Key(address.password());
    }

    private <T> HttpResponse<T> once(@Nullable HttpClient own, PrinterRequest request, BodyHandler<T> body)
            throws IOException, InterruptedException {
        HttpRequest.Builder builder = request.to(address.http(request.path()));
        login.sign(builder, request.method(), request.path());
        return own == null
                ? PrinterHttp.exchange(http, builder.build(), body)
                : Exchange.whole(own, builder.build(), body);
    }
}
