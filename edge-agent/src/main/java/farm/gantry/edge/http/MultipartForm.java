package farm.gantry.edge.http;

import java.io.FileNotFoundException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** A multipart form with a file, whose form field is named {@code part}. */
public record MultipartForm(Map<String, String> fields, String part, String fileName, BodyPublisher content) {
    private static final String BOUNDARY = "gantry-7d9f3c1e5b";

    public static final String CONTENT_TYPE = "multipart/form-data; boundary=" + BOUNDARY;

    /** Returns a form with a whole file, which is streamed from disk. */
    public static MultipartForm of(Map<String, String> fields, Path file, String fileName)
            throws FileNotFoundException {
        return new MultipartForm(fields, "file", fileName, BodyPublishers.ofFile(file));
    }

    public BodyPublisher body() {
        String before = fields.entrySet().stream()
                .map(field -> partHeader("name=\"" + field.getKey() + "\"\r\n\r\n" + field.getValue() + "\r\n"))
                .collect(Collectors.joining());
        String head = partHeader("name=\"" + part + "\"; filename=\"" + fileName
                + "\"\r\nContent-Type: application/octet-stream\r\n\r\n");
        return BodyPublishers.concat(
                BodyPublishers.ofString(before + head),
                content,
                BodyPublishers.ofString("\r\n--" + BOUNDARY + "--\r\n"));
    }

    private static String partHeader(String what) {
        return "--" + BOUNDARY + "\r\nContent-Disposition: form-data; " + what;
    }
}
