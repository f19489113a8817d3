package farm.gantry.edge.provider.octoprint;

import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.http.PrinterResponse;
import farm.gantry.edge.http.TimeLimitedExchange;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.PinnedIdentity;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to one OctoPrint. Each caller waits for the response, so that few connections are needed. {@code
 * timeout} is the time limit for status requests.
 */
record OctoPrintClient(HttpClient http, OctoPrintAddress address, PinnedIdentity pin, Duration timeout) {
    static final String FILES = "/api/files/local";

    private static final String CONNECTION = "/api/connection";
    /** OctoPrint waits 10 seconds for a printer that has stopped answering before it closes the serial connection. */
    private static final Duration CLOSING = Duration.ofSeconds(30);

    private static final Pattern NAME = Pattern.compile("<UDN>\\s*uuid:([0-9A-Za-z-]+)\\s*</UDN>");
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    static String filePath(String fileName) {
        return FILES + "/" + PrinterHttp.encodePathSegment(fileName);
    }

    /** Returns the printer's status; empty while OctoPrint has no working printer. */
    Map<String, Object> printer() throws IOException, Refusal, InterruptedException {
        PrinterResponse answer =
                send(PrinterRequest.of("GET", "/api/printer?exclude=sd").withTimeout(timeout));
        return answer.status() == CONFLICT ? Map.of() : answer.parseJson();
    }

    Map<String, Object> job() throws IOException, Refusal, InterruptedException {
        return send(PrinterRequest.of("GET", "/api/job").withTimeout(timeout)).parseJson();
    }

    /**
     * Returns the printer error because of which OctoPrint cancelled the last print: empty if there was none, null for
     * versions before 1.10, which do not report it.
     */
    @Nullable
    String lastPrintError() throws IOException, Refusal, InterruptedException {
        PrinterResponse answer =
                send(PrinterRequest.of("GET", "/api/printer/error").withTimeout(timeout));
        if (answer.status() == NOT_FOUND) {
            return null;
        }
        Map<String, Object> last = answer.parseJson();
        return "cancel".equals(Tree.text(last, "consequence"))
                ? Objects.requireNonNullElse(Tree.text(last, "error"), "").strip()
                : "";
    }

    /**
     * Returns when the latest print in OctoPrint's records ended. OctoPrint stores only the latest print of each file,
     * and has no other print counter.
     */
    String lastPrint() throws IOException, Refusal, InterruptedException {
        Map<String, Object> all = send(PrinterRequest.of("GET", FILES + "?recursive=true")
                        .withTimeout(timeout))
                .parseJson();
        return formatTime(latestPrintTime(Tree.list(all, "files")));
    }

    private static String formatTime(double seconds) {
        return seconds == 0 ? "none" : BigDecimal.valueOf(seconds).toPlainString();
    }

    /** Returns whether the latest print in OctoPrint's records is one of this file. */
    boolean isLastPrint(String print, String fileName) throws IOException, Refusal, InterruptedException {
        return formatTime(endedAt(lastPrintOf(fileName))).equals(print);
    }

    private static double endedAt(Map<String, Object> print) {
        return Tree.number(print, "date", 0);
    }

    /** Returns OctoPrint's record of the last print of this file; empty if none has ended, or the file is gone. */
    Map<String, Object> lastPrintOf(String fileName) throws IOException, Refusal, InterruptedException {
        PrinterResponse answer =
                send(PrinterRequest.of("GET", filePath(fileName)).withTimeout(timeout));
        return answer.status() == NOT_FOUND ? Map.of() : Tree.object(answer.parseJson(), "prints", "last");
    }

    private static double latestPrintTime(List<?> files) {
        return files.stream()
                .mapToDouble(file -> Math.max(
                        endedAt(Tree.object(file, "prints", "last")), latestPrintTime(Tree.list(file, "children"))))
                .max()
                .orElse(0);
    }

    /** Returns the user and the new session with which the API key's user receives events: {@code name:session}. */
    String logIn() throws IOException, Refusal, InterruptedException {
        Map<String, Object> user = send(PrinterRequest.post("/api/login", Map.of("passive", true))
                        .withTimeout(timeout))
                .parseJson();
        return Tree.text(user, "name") + ":" + Tree.text(user, "session");
    }

    /** Returns the URL of its camera's snapshots; empty without a camera. */
    String snapshotUrl() throws IOException, Refusal, InterruptedException {
        return Objects.requireNonNullElse(Tree.text(settings(), "webcam", "snapshotUrl"), "");
    }

    private Map<String, Object> settings() throws IOException, Refusal, InterruptedException {
        return send(PrinterRequest.of("GET", "/api/settings")).parseJson();
    }

    /** Returns the ports to which a printer may be connected. */
    Map<String, Object> connection() throws IOException, Refusal, InterruptedException {
        return Tree.object(send(PrinterRequest.of("GET", CONNECTION)).parseJson(), "options");
    }

    boolean connectsAutomatically() throws IOException, Refusal, InterruptedException {
        return Tree.flag(settings(), "serial", "autoconnect");
    }

    void connect() throws IOException, Refusal, InterruptedException {
        connection("connect");
    }

    /** Reopens the serial connection, which resets most printers' boards; the others need a power switch. */
    PrinterResponse reconnect() throws IOException, Refusal, InterruptedException {
        connection("disconnect");
        return connection("connect");
    }

    private PrinterResponse connection(String command) throws IOException, Refusal, InterruptedException {
        PrinterResponse answer = sendChange(
                PrinterRequest.post(CONNECTION, Map.of("command", command)).withTimeout(CLOSING));
        if (!answer.isSuccess()) {
            throw answer.toRefusal("OctoPrint does not " + command + ": ");
        }
        return answer;
    }

    /**
     * Returns the id that OctoPrint's discovery plugin generated at its first start and reports without a key; null if
     * the plugin is off.
     */
    private static @Nullable String parseUuid(PrinterResponse answer) {
        Matcher name = NAME.matcher(answer.body());
        return answer.isSuccess() && name.find() ? name.group(1) : null;
    }

    private PrinterRequest descriptionRequest() {
        return PrinterRequest.of("GET", OctoPrintDiscovery.DESCRIPTION).withTimeout(timeout);
    }

    /** Throws if the address belongs to another OctoPrint. */
    void requireSameMachine() throws IOException, InterruptedException {
        pin.check(parseUuid(PrinterHttp.send(http, toSignedRequest(descriptionRequest()))), address);
    }

    private HttpRequest toSignedRequest(PrinterRequest request) {
        return request.toHttpRequest(address.http(request.path()))
                .header("X-Api-Key", address.apiKey())
                .build();
    }

    PrinterResponse send(PrinterRequest request) throws IOException, Refusal, InterruptedException {
        return requireAuthorized(PrinterHttp.send(http, toSignedRequest(request)));
    }

    /** Sends a change, after checking that the address still belongs to this OctoPrint. */
    PrinterResponse sendChange(PrinterRequest request) throws IOException, Refusal, InterruptedException {
        return PrinterHttp.sendChange(
                http,
                own -> pin.check(parseUuid(exchange(own, descriptionRequest())), address),
                own -> requireAuthorized(exchange(own, request)));
    }

    private PrinterResponse exchange(HttpClient own, PrinterRequest request) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                TimeLimitedExchange.send(own, toSignedRequest(request), PrinterHttp.limitedText());
        return new PrinterResponse(answer.statusCode(), answer.body());
    }

    private static PrinterResponse requireAuthorized(PrinterResponse answer) throws Refusal {
        if (answer.status() == 401 || answer.status() == 403) {
            throw new Refusal("OctoPrint rejects the API key: " + answer.errorText());
        }
        return answer;
    }
}
