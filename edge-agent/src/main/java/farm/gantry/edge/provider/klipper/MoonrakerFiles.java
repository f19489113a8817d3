package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.http.MultipartForm;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.http.PrinterResponse;
import farm.gantry.edge.http.TimeLimitedExchange;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.PinnedIdentity;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;

/** Uploads print files to a Moonraker and removes them. */
record MoonrakerFiles(HttpClient http, MoonrakerAddress address, PinnedIdentity pin) {
    private static final String INSTANCE = "/server/database/item?namespace=moonraker&key=instance_id";
    private static final String SYSTEM = "/machine/system_info";
    private static final int IDENTITY_TRIES = 3;

    /** Uploads a file, streamed from disk; Moonraker verifies its SHA-256. */
    void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        MultipartForm form = MultipartForm.of(Map.of("root", "gcodes", "checksum", sha256), file, fileName);
        PrinterResponse answer = sendChange(PrinterRequest.upload("/server/files/upload", form, file));
        switch (answer.status()) {
            case 200, 201 -> {}
            case 401 -> throw new Refusal(MoonrakerAddress.UNAUTHORIZED);
            case 403 -> throw new Refusal("Moonraker rejects the file: " + errorText(answer));
            case 413 -> throw new Refusal("the file is larger than Moonraker's max_upload_size");
            default -> throw new IOException("Moonraker did not accept the file: " + errorText(answer));
        }
    }

    /**
     * Returns the error message. For an uncaught exception, such as for a full disk, this is the last line of its
     * traceback.
     */
    private static String errorText(PrinterResponse answer) {
        try {
            String traceback = Tree.text(Json.tree(answer.body()), "error", "traceback");
            if (traceback != null && !traceback.isBlank()) {
                return traceback.strip().lines().toList().getLast().strip();
            }
        } catch (IOException e) {
            // Not JSON: a proxy has answered.
        }
        return answer.errorText();
    }

    /** Removes a file. Moonraker's response that the path is invalid means that the file is missing. */
    void remove(String fileName) throws IOException, Refusal, InterruptedException {
        String name = PrinterHttp.encodePathSegment(fileName);
        PrinterResponse answer = sendChange(PrinterRequest.of("DELETE", "/server/files/gcodes/" + name));
        if (answer.status() != 400) {
            answer.requireRemoved();
        }
    }

    /** Sends a change, after checking that the address still belongs to this Moonraker. */
    private PrinterResponse sendChange(PrinterRequest request) throws IOException, Refusal, InterruptedException {
        return PrinterHttp.sendChange(
                http, own -> identity(own).check(pin, address), own -> response(exchange(own, request)));
    }

    /**
     * Queries the identity over one connection. Retries if Moonraker or a proxy closes the connection between two
     * responses.
     */
    private MoonrakerIdentity identity(HttpClient own) throws IOException, InterruptedException {
        for (int tried = 1; ; tried++) {
            HttpResponse<String> item = exchange(own, PrinterRequest.of("GET", INSTANCE));
            HttpResponse<String> system = exchange(own, PrinterRequest.of("GET", SYSTEM));
            if (item.connectionLabel().equals(system.connectionLabel()) || tried == IDENTITY_TRIES) {
                return MoonrakerIdentity.parse(result(item), result(system));
            }
        }
    }

    /** Returns an empty result if Moonraker does not answer the query. */
    private static Map<String, Object> result(HttpResponse<String> answer) throws IOException {
        PrinterResponse response = response(answer);
        return response.isSuccess() ? Tree.object(response.parseJson(), "result") : Map.of();
    }

    private static PrinterResponse response(HttpResponse<String> answer) {
        return new PrinterResponse(answer.statusCode(), answer.body());
    }

    private HttpResponse<String> exchange(HttpClient own, PrinterRequest request)
            throws IOException, InterruptedException {
        HttpRequest.Builder keyed = request.toHttpRequest(address.http(request.path()));
        if (address.apiKey() != null) {
            keyed.header("X-Api-Key", address.apiKey());
        }
        return TimeLimitedExchange.send(own, keyed.build(), PrinterHttp.limitedText());
    }
}
