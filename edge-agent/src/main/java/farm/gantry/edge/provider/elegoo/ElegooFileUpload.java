package farm.gantry.edge.provider.elegoo;

import farm.gantry.edge.file.Md5;
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
import java.util.Set;

/** Uploads a file to a printer in parts of the maximum size; the last part completes it. */
record ElegooFileUpload(HttpClient http, ElegooAddress address) {
    private static final int PART_BYTES = 1 << 20;
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final Set<Integer> FINAL_ERRORS = Set.of(1000, 1003, 1004, 9001, 9002, 9007);

    void send(Path file, String fileName) throws IOException, Refusal, InterruptedException {
        long size = Files.size(file);
        HttpRequest.Builder request = HttpRequest.newBuilder(address.uploadUrl())
                .timeout(TIMEOUT)
                .header("Accept", "application/json")
                .header("Content-Type", "application/octet-stream")
                .header("X-File-Name", fileName)
                .header("X-File-MD5", Md5.of(file))
                .header("X-Token", address.accessCode());
        try (InputStream in = Files.newInputStream(file)) {
            long sent = 0;
            byte[] part = new byte[PART_BYTES];
            for (int read = in.readNBytes(part, 0, PART_BYTES); read > 0; read = in.readNBytes(part, 0, PART_BYTES)) {
                long end = sent + read;
                HttpRequest put = request.copy()
                        .header("Content-Range", "bytes " + sent + "-" + (end - 1) + "/" + size)
                        .PUT(BodyPublishers.ofByteArray(part, 0, read))
                        .build();
                check(PrinterHttp.send(http, put));
                sent = end;
            }
        }
    }

    private static void check(PrinterResponse answer) throws IOException, Refusal {
        if (answer.status() == 401 || answer.status() == 403) {
            throw new Refusal("the printer rejects the access code");
        }
        Integer code = Tree.integer(answer.parseJson(), "error_code");
        if (code == null) {
            throw new IOException("the printer does not confirm the upload");
        }
        if (code == 0) {
            return;
        }
        String words = "the printer rejects the file: " + ElegooErrors.message(code);
        if (FINAL_ERRORS.contains(code)) {
            throw new Refusal(words);
        }
        throw new IOException(words);
    }
}
