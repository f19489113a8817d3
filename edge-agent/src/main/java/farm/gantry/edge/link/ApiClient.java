package farm.gantry.edge.link;

import farm.gantry.edge.http.Exchange;
import farm.gantry.edge.time.ServerClock;
import farm.gantry.json.Json;
import farm.gantry.wire.LinkResponse;
import farm.gantry.wire.LinkRequest;
import farm.gantry.wire.Pairing;
import farm.gantry.wire.SnapshotUpload;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** The API's HTTP interface; {@code sent} counts the bytes sent. */
public record ApiClient(HttpClient http, String address, ServerClock clock, LongAdder sent) {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    public static ApiClient at(String address) {
        return at(address, InstantSource.system());
    }

    /** {@code machine} is the clock that applies until the API has told the time. */
    static ApiClient at(String address, InstantSource machine) {
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(10))
                .followRedirects(HttpClient.Redirect.NORMAL)
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .build();
        return new ApiClient(http, address.replaceFirst("/+$", ""), new ServerClock(machine), new LongAdder());
    }

    public Pairing.Response pair(Pairing.Request request) throws IOException, InterruptedException {
        HttpRequest.Builder post = post("/v1/agents/pair", Json.write(request)).timeout(TIMEOUT);
        return Json.read(answer(post), Pairing.Response.class);
    }

    LinkResponse exchange(String token, LinkRequest request, Duration wait) throws IOException, InterruptedException {
        HttpRequest.Builder post = post("/v1/agents/link?wait=" + wait.toSeconds(), Json.write(request))
                .header("Authorization", "AgentToken " + token)
                .timeout(TIMEOUT.plus(wait));
        return Json.read(answer(post), LinkResponse.class);
    }

    /** Sends a snapshot straight to the API, even if the link uses a broker. */
    void send(String token, SnapshotUpload still) throws IOException, InterruptedException {
        answer(post("/v1/agents/link/stills", Json.write(still))
                .header("Authorization", "AgentToken " + token)
                .timeout(TIMEOUT));
    }

    /** Returns the API's time from the Date header of any response. */
    public Optional<Instant> time() throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(address)).timeout(TIMEOUT).build();
        return time(Exchange.whole(http, request, HttpResponse.BodyHandlers.discarding()));
    }

    /** Fetches the time if it is unknown, so that no events with wrong times are sent. */
    void learnTime() throws IOException, InterruptedException {
        if (!ServerClock.isKnown(clock)) {
            Instant requestedAt = clock.instant();
            time().ifPresent(time -> clock.adjust(requestedAt, time));
        }
    }

    private static Optional<Instant> time(HttpResponse<?> answer) {
        return answer.headers().firstValue("Date").flatMap(ApiClient::instant);
    }

    private static Optional<Instant> instant(String date) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private HttpRequest.Builder post(String path, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        sent.add(bytes.length);
        return HttpRequest.newBuilder(URI.create(address + path))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(bytes));
    }

    private String answer(HttpRequest.Builder request) throws IOException, InterruptedException {
        Instant requestedAt = clock.instant();
        HttpResponse<String> answer = Exchange.whole(http, request.build(), HttpResponse.BodyHandlers.ofString());
        time(answer).ifPresentOrElse(time -> clock.adjust(requestedAt, time), clock::trustMachine);
        if (answer.statusCode() / 100 != 2) {
            throw new ApiException(answer.statusCode(), answer.body());
        }
        return answer.body();
    }
}
