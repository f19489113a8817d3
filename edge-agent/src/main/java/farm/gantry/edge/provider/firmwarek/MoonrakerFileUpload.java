package farm.gantry.edge.provider.firmwarek;

import farm.gantry.edge.http.MultipartForm;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.refusal.Refusal;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;

/** A file on its way to Moonraker: streamed from disk, checked by its SHA-256 on arrival. */
record MoonrakerFileUpload(HttpClient http, MoonrakerAddress address) {
    void send(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        MultipartForm form = MultipartForm.of(Map.of("root", "gcodes", "checksum", sha256), file, fileName);
        HttpRequest.Builder request = HttpRequest.newBuilder(address.http("/server/files/upload"))
                .timeout(PrinterHttp.uploadTime(file))
                .header("Content-Type", MultipartForm.CONTENT_TYPE)
                .POST(form.body());
        if (address.apiKey() != null) {
            request.header("X-Api-Key", address.apiKey());
        }
        HttpResponse<String> answer = PrinterHttp.exchange(http, request.build(), PrinterHttp.text());
        switch (answer.statusCode()) {
            case 200, 201 -> {}
            case 401, 403 -> throw new Refusal("Moonraker does not accept the API key");
            case 413 -> throw new Refusal("the file is larger than Moonraker's max_upload_size");
            default -> throw new IOException("the upload was answered with " + answer.statusCode());
        }
    }
}
