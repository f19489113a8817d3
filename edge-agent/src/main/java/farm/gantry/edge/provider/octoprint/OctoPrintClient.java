package farm.gantry.edge.provider.octoprint;

import farm.gantry.edge.http.Exchange;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.http.PrinterResponse;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.Pin;
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
 * Requests to one OctoPrint. Each caller waits for the response, so that few connections are enough. Status requests
 * must be answered within {@code timeout}.
 */
record OctoPrintClient(HttpClient http, OctoPrintAddress address, Pin pin, Duration timeout) {
    static final String FILES = "/api/files/local";

    private static final String CONNECTION = "/api/connection";
    /** OctoPrint waits 10 seconds for a printer that has stopped answering before it closes the serial connection. */
    private static final Duration CLOSING = Duration.ofSeconds(30);

    private static final Pattern NAME = Pattern.compile("<UDN>\\s*uuid:([0-9A-Za-z-]+)\\s*</UDN>");
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    static String file(String fileName) {
        return FILES + "/" + PrinterHttp.segment(fileName);
    }

    /** Returns an empty status while OctoPrint has no working printer. */
    Map<String, Object> printer() throws IOException, Refusal, InterruptedException {
        PrinterResponse answer =
                send(PrinterRequest.of("GET", "/api/printer?exclude=sd").within(timeout));
        return answer.status() == CONFLICT ? Map.of() : answer.tree();
    }

    Map<String, Object> job() throws IOException, Refusal, InterruptedException {
        return send(PrinterRequest.of("GET", "/api/job").within(timeout)).tree();
    }

    /**
     * Returns the printer's error for which OctoPrint cancelled the last print; empty without one, null for OctoPrint
     * before 1.10, which does not report it.
     */
    @Nullable
    String error() throws IOException, Refusal, InterruptedException {
        PrinterResponse answer =
                send(PrinterRequest.of("GET", "/api/printer/error").within(timeout));
        if (answer.status() == NOT_FOUND) {
            return null;
        }
        Map<String, Object> last = answer.tree();
        return "cancel".equals(Tree.text(last, "consequence"))
                ? Objects.requireNonNullElse(Tree.text(last, "error"), "").strip()
                : "";
    }

    /**
     * Returns when the last print ended that OctoPrint remembers. It stores only the latest print of each file, and has
     * no other counter.
     */
    String lastPrint() throws IOException, Refusal, InterruptedException {
        Map<String, Object> all = send(PrinterRequest.of("GET", FILES + "?recursive=true")
                        .within(timeout))
                .tree();
        return time(latest(Tree.list(all, "files")));
    }

    private static String time(double seconds) {
        return seconds == 0 ? "none" : BigDecimal.valueOf(seconds).toPlainString();
    }

    /** Returns whether the last print that OctoPrint remembers is one of this file. */
    boolean isLastPrint(String print, String fileName) throws IOException, Refusal, InterruptedException {
        return time(endedAt(lastPrintOf(fileName))).equals(print);
    }

    private static double endedAt(Map<String, Object> print) {
        return Tree.number(print, "date", 0);
    }

    /** Returns OctoPrint's record of the last print of this file; empty if none has ended, or the file is gone. */
    Map<String, Object> lastPrintOf(String fileName) throws IOException, Refusal, InterruptedException {
        PrinterResponse answer = send(PrinterRequest.of("GET", file(fileName)).within(timeout));
        return answer.status() == NOT_FOUND ? Map.of() : Tree.object(answer.tree(), "prints", "last");
    }

    private static double latest(List<?> files) {
        return files.stream()
                .mapToDouble(file ->
                        Math.max(endedAt(Tree.object(file, "prints", "last")), latest(Tree.list(file, "children"))))
                .max()
                .orElse(0);
    }

    /** Returns the URL of its camera's snapshots; empty without a camera. */
    String camera() throws IOException, Refusal, InterruptedException {
        return Objects.requireNonNullElse(Tree.text(settings(), "webcam", "snapshotUrl"), "");
    }

    private Map<String, Object> settings() throws IOException, Refusal, InterruptedException {
        return send(PrinterRequest.of("GET", "/api/settings")).tree();
    }

    /** Returns the ports to which a printer may be connected. */
    Map<String, Object> connection() throws IOException, Refusal, InterruptedException {
        return Tree.object(send(PrinterRequest.of("GET", CONNECTION)).tree(), "options");
    }

    boolean connectsByItself() throws IOException, Refusal, InterruptedException {
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
        PrinterResponse answer = change(
                PrinterRequest.post(CONNECTION, Map.of("command", command)).within(CLOSING));
        if (!answer.isDone()) {
            throw answer.fault("OctoPrint does not " + command + ": ");
        }
        return answer;
    }

    /**
     * Returns the id that OctoPrint's discovery plugin generated at its first start and reports without a key; null if
     * the plugin is off.
     */
    private static @Nullable String uuid(PrinterResponse answer) {
        Matcher name = NAME.matcher(answer.body());
        return answer.isDone() && name.find() ? name.group(1) : null;
    }

    private PrinterRequest description() {
        return PrinterRequest.of("GET", OctoPrintDiscovery.DESCRIPTION).within(timeout);
    }

    /** Throws if the address belongs to another OctoPrint. */
    void requireSameMachine() throws IOException, InterruptedException {
        pin.check(uuid(PrinterHttp.send(http, signed(description()))), address);
    }

    private HttpRequest signed(PrinterRequest request) {
        return request.to(address.http(request.path()))
                .header("X-Api-Key", address.apiKey())
                .build();
    }

    PrinterResponse send(PrinterRequest request) throws IOException, Refusal, InterruptedException {
        return admitted(PrinterHttp.send(http, signed(request)));
    }

    /** Sends a change to this OctoPrint and no other. */
    PrinterResponse change(PrinterRequest request) throws IOException, Refusal, InterruptedException {
        return PrinterHttp.change(
                http,
                own -> pin.check(uuid(exchange(own, description())), address),
                own -> admitted(exchange(own, request)));
    }

    private PrinterResponse exchange(HttpClient own, PrinterRequest request) throws IOException, InterruptedException {
        HttpResponse<String> answer = Exchange.whole(own, signed(request), PrinterHttp.text());
        return new PrinterResponse(answer.statusCode(), answer.body());
    }

    private static PrinterResponse admitted(PrinterResponse answer) throws Refusal {
        if (answer.status() == 401 || answer.status() == 403) {
            throw new Refusal("OctoPrint rejects the API key: " + answer.words());
        }
        return answer;
    }
}
