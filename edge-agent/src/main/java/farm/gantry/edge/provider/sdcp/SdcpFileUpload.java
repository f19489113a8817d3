package farm.gantry.edge.provider.sdcp;

import farm.gantry.edge.file.Md5;
import farm.gantry.edge.http.MultipartForm;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.http.PrinterResponse;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Uploads a file in pieces of 1 MiB. A larger piece makes the printer restart. */
record SdcpFileUpload(HttpClient http, SdcpAddress address, String uuid) {
    private static final int PIECE = 1 << 20;
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final String DONE = "000000";

    void send(Path file, String fileName) throws IOException, Refusal, InterruptedException {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("Check", "1");
        form.put("S-File-MD5", Md5.of(file));
        form.put("Uuid", uuid);
        form.put("TotalSize", String.valueOf(Files.size(file)));
        try (InputStream content = Files.newInputStream(file)) {
            long offset = 0;
            byte[] piece = new byte[PIECE];
            for (int read = content.readNBytes(piece, 0, PIECE); read > 0; read = content.readNBytes(piece, 0, PIECE)) {
                form.put("Offset", String.valueOf(offset));
                sendPiece(new MultipartForm(
                        Map.copyOf(form), "File", fileName, BodyPublishers.ofByteArray(piece, 0, read)));
                offset += read;
            }
        }
    }

    private void sendPiece(MultipartForm piece) throws IOException, Refusal, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address.upload())
                .timeout(TIMEOUT)
                .header("Content-Type", MultipartForm.CONTENT_TYPE)
                .POST(piece.body())
                .build();
        PrinterResponse answer = PrinterHttp.send(http, request);
        if (!answer.isSuccess()) {
            throw answer.toRefusal("the printer did not accept the file: ");
        }
        Map<String, Object> tree = answer.parseJson();
        if (!DONE.equals(Tree.text(tree, "code"))) {
            throw new IOException("the printer did not accept the file: " + Tree.list(tree, "messages"));
        }
    }
}
