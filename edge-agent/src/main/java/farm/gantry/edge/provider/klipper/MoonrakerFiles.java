package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.http.Exchange;
import farm.gantry.edge.http.MultipartForm;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.http.PrinterResponse;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.Pin;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;

/** The print files that Moonraker keeps. */
record MoonrakerFiles(HttpClient http, MoonrakerAddress address, Pin pin) {
    private static final String INSTANCE = "/server/database/item?namespace=moonraker&key=instance_id";
    private static final String SYSTEM = "/machine/system_info";
    private static final int IDENTITY_TRIES = 3;

    /** Streamed from disk, and checked by its SHA-256 on arrival. */
    void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        MultipartForm form = MultipartForm.of(Map.of("root", "gcodes", "checksum", sha256), file, fileName);
        PrinterResponse answer = change(PrinterRequest.upload("/server/files/upload", form, file));
        switch (answer.status()) {
            case 200, 201 -> {}
            case 401 -> throw new Refusal(MoonrakerAddress.UNAUTHORIZED);
            case 403 -> throw new Refusal("Moonraker does not take the file: " + reason(answer));
            case 413 -> throw new Refusal("the file is larger than Moonraker's max_upload_size");
            default -> throw new IOException("Moonraker did not take the file: " + reason(answer));
        }
    }

    /** An uncaught exception, for example of a full disk, is told by the last line of its traceback alone. */
    private static String reason(PrinterResponse answer) {
        try {
            String traceback = Tree.text(Json.tree(answer.body()), "error", "traceback");
            if (traceback != null && !traceback.isBlank()) {
                return traceback.strip().lines().toList().getLast().strip();
            }
        } catch (IOException e) {
            // No JSON: a proxy has answered.
        }
        return answer.words();
    }

    /** Moonraker calls the path of a file that is not there invalid. */
    void remove(String fileName) throws IOException, Refusal, InterruptedException {
        String name = PrinterHttp.segment(fileName);
        PrinterResponse answer = change(PrinterRequest.of("DELETE", "/server/files/gcodes/" + name));
        if (answer.status() != 400) {
            answer.requireRemoved();
        }
    }

    /** Changes a file at this Moonraker and no other. */
    private PrinterResponse change(PrinterRequest request) throws IOException, Refusal, InterruptedException {
        return PrinterHttp.change(
                http, own -> identity(own).check(pin, address), own -> response(exchange(own, request)));
    }

    /** By answers that came over one connection, unless Moonraker, or a proxy, closes each. */
    private MoonrakerIdentity identity(HttpClient own) throws IOException, InterruptedException {
        for (int tried = 1; ; tried++) {
            HttpResponse<String> item = exchange(own, PrinterRequest.of("GET", INSTANCE));
            HttpResponse<String> system = exchange(own, PrinterRequest.of("GET", SYSTEM));
            if (item.connectionLabel().equals(system.connectionLabel()) || tried == IDENTITY_TRIES) {
                return MoonrakerIdentity.of(result(item), result(system));
            }
        }
    }

    /** Empty where Moonraker does not tell it. */
    private static Map<String, Object> result(HttpResponse<String> answer) throws IOException {
        PrinterResponse response = response(answer);
        return response.isDone() ? Tree.object(response.tree(), "result") : Map.of();
    }

    private static PrinterResponse response(HttpResponse<String> answer) {
        return new PrinterResponse(answer.statusCode(), answer.body());
    }

    private HttpResponse<String> exchange(HttpClient own, PrinterRequest request)
            throws IOException, InterruptedException {
        HttpRequest.Builder keyed = request.to(address.http(request.path()));
        if (address.apiKey() != null) {
            keyed.header("X-Api-Key", address.apiKey());
        }
        return Exchange.whole(own, keyed.build(), PrinterHttp.text());
    }
}
