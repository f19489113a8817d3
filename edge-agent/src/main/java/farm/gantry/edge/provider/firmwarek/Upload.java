package farm.gantry.edge.provider.firmwarek;

import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.printer.Refusal;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;

/** A file on its way to Moonraker: streamed from disk, checked by its SHA-256 on arrival. */
record Upload(HttpClient http, Address address) {
    private static final String BOUNDARY = "gantry-7d9f3c1e5b";

    void send(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException {
        BodyPublisher body = BodyPublishers.concat(
                BodyPublishers.ofString(field("root", "gcodes") + field("checksum", sha256) + fileHead(fileName)),
                BodyPublishers.ofFile(file),
                BodyPublishers.ofString("\r\n--" + BOUNDARY + "--\r\n"));
        HttpRequest.Builder request = HttpRequest.newBuilder(address.http("/server/files/upload"))
                .timeout(PrinterHttp.uploadTime(file))
                .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                .POST(body);
        if (address.apiKey() != null) {
            request.header("X-Api-Key", address.apiKey());
        }
        HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        switch (answer.statusCode()) {
            case 200, 201 -> {}
            case 401, 403 -> throw new Refusal("Moonraker does not accept the API key");
            case 413 -> throw new Refusal("the file is larger than Moonraker's max_upload_size");
            default -> throw new IOException("the upload was answered with " + answer.statusCode());
        }
    }

    private static String field(String name, String value) {
        return "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
    }

    private static String fileHead(String fileName) {
        return "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + fileName
                + "\"\r\nContent-Type: application/octet-stream\r\n\r\n";
    }
}
