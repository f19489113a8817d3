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
 * What one OctoPrint is asked; whoever asks waits for the answer, so that few connections are enough. How the printer does
 * must be told with {@code timeout}.
 */
record OctoPrintClient(HttpClient http, OctoPrintAddress address, Pin pin, Duration timeout) {
    static final String FILES = "/api/files/local";

    private static final String CONNECTION = "/api/connection";
    /** OctoPrint waits 10 seconds for a printer that has stopped answering before it closes the line to it. */
    private static final Duration CLOSING = Duration.ofSeconds(30);

    private static final Pattern NAME = Pattern.compile("<UDN>\\s*uuid:([0-9A-Za-z-]+)\\s*</UDN>");
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    static String file(String fileName) {
        return FILES + "/" + PrinterHttp.segment(fileName);
    }

    /** Empty while OctoPrint has no printer that works. */
    Map<String, Object> printer() throws IOException, Refusal, InterruptedException {
        PrinterResponse answer =
                send(PrinterRequest.of("GET", "/api/printer?exclude=sd").within(timeout));
        return answer.status() == CONFLICT ? Map.of() : answer.tree();
    }

    Map<String, Object> job() throws IOException, Refusal, InterruptedException {
        return send(PrinterRequest.of("GET", "/api/job").within(timeout)).tree();
    }

    /**
     * The printer's error for which OctoPrint cancelled the last print; empty where there was none, null where OctoPrint is older
     * than 1.10 and does not tell.
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
     * When the last print ended that OctoPrint remembers: it keeps the latest of each file, and counts its prints nowhere
     * else.
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

    /** Whether the last print that OctoPrint remembers is one of this file. */
    boolean isLastPrint(String print, String fileName) throws IOException, Refusal, InterruptedException {
        return time(endedAt(lastPrintOf(fileName))).equals(print);
    }

    private static double endedAt(Map<String, Object> print) {
        return Tree.number(print, "date", 0);
    }

    /** What OctoPrint keeps of the last print of this file; empty where none has ended, or the file is gone. */
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

    /** The address of its camera's pictures; empty where there is none. */
    String camera() throws IOException, Refusal, InterruptedException {
        return Objects.requireNonNullElse(Tree.text(settings(), "webcam", "snapshotUrl"), "");
    }

    private Map<String, Object> settings() throws IOException, Refusal, InterruptedException {
        return send(PrinterRequest.of("GET", "/api/settings")).tree();
    }

    /** At which ports a printer could be. */
    Map<String, Object> connection() throws IOException, Refusal, InterruptedException {
        return Tree.object(send(PrinterRequest.of("GET", CONNECTION)).tree(), "options");
    }

    boolean connectsByItself() throws IOException, Refusal, InterruptedException {
        return Tree.truth(settings(), "serial", "autoconnect");
    }

    void connect() throws IOException, Refusal, InterruptedException {
        connection("connect");
    }

    /** To open the line anew resets most printers' boards; those that are not so wired need their own switch. */
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
     * Which OctoPrint it is, by what its discovery plugin made up when it was first started, and tells without a key; null where
     * the plugin is off.
     */
    private static @Nullable String uuid(PrinterResponse answer) {
        Matcher name = NAME.matcher(answer.body());
        return answer.isDone() && name.find() ? name.group(1) : null;
    }

    private PrinterRequest description() {
        return PrinterRequest.of("GET", OctoPrintDiscovery.DESCRIPTION).within(timeout);
    }

    /** Fails where the address was given to another OctoPrint. */
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

    /** Changes something at this OctoPrint and no other. */
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
            throw new Refusal("OctoPrint does not accept the API key: " + answer.words());
        }
        return answer;
    }
}
