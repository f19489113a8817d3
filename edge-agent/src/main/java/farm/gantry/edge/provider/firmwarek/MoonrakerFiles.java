package farm.gantry.edge.provider.firmwarek;

import farm.gantry.edge.http.MultipartForm;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterRequest;
import farm.gantry.edge.http.PrinterResponse;
import farm.gantry.edge.refusal.Refusal;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.Map;

/** The print files that Moonraker keeps. */
record MoonrakerFiles(HttpClient http, MoonrakerAddress address) {
    /** Streamed from disk, and checked by its SHA-256 on arrival. */
    void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        MultipartForm form = MultipartForm.of(Map.of("root", "gcodes", "checksum", sha256), file, fileName);
        PrinterResponse answer = send(PrinterRequest.upload("/server/files/upload", form, file));
        switch (answer.status()) {
            case 200, 201 -> {}
            case 401, 403 -> throw new Refusal("Moonraker does not accept the API key");
            case 413 -> throw new Refusal("the file is larger than Moonraker's max_upload_size");
            default -> throw new IOException("the upload was answered with " + answer.status());
        }
    }

    /** Moonraker calls the path of a file that is not there invalid. */
    void remove(String fileName) throws IOException, Refusal, InterruptedException {
        String name = PrinterHttp.segment(fileName);
        PrinterResponse answer = send(PrinterRequest.of("DELETE", "/server/files/gcodes/" + name));
        if (answer.status() != 400) {
            answer.requireRemoved();
        }
    }

    private PrinterResponse send(PrinterRequest request) throws IOException, InterruptedException {
        HttpRequest.Builder keyed = request.to(address.http(request.path()));
        if (address.apiKey() != null) {
            keyed.header("X-Api-Key", address.apiKey());
        }
        return PrinterHttp.send(http, keyed.build());
    }
}
