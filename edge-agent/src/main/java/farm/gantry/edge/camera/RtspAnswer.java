package farm.gantry.edge.camera;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A message of an RTSP server; the status is 0 where it is no answer. */
record RtspAnswer(int status, HttpHeaders headers, String body) {
    private static final int LONGEST_LINE = 4_096;
    private static final int MOST_LINES = 100;
    private static final int LARGEST_BODY = 1 << 16;
    private static final Pattern STATUS = Pattern.compile("RTSP/1\\.\\d (\\d{3}).*");

    /** {@code first}: the first byte of it, which was read already. */
    static RtspAnswer read(int first, InputStream in) throws IOException {
        Matcher status = STATUS.matcher((char) first + line(in));
        Map<String, List<String>> fields = new HashMap<>();
        int lines = 0;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            if (colon < 1 || ++lines > MOST_LINES) {
                throw broken();
            }
            fields.computeIfAbsent(line.substring(0, colon).strip(), _ -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        HttpHeaders headers = HttpHeaders.of(fields, (_, _) -> true);
        String length = headers.firstValue("Content-Length").orElse("0");
        if (!length.matches("\\d{1,5}") || Integer.parseInt(length) > LARGEST_BODY) {
            throw broken();
        }
        String body = new String(in.readNBytes(Integer.parseInt(length)), StandardCharsets.UTF_8);
        return new RtspAnswer(status.matches() ? Integer.parseInt(status.group(1)) : 0, headers, body);
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.size() == LONGEST_LINE) {
                throw broken();
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    private static IOException broken() {
        return new IOException("the camera broke off in the middle of an answer");
    }

    String field(String name, String absent) {
        return headers.firstValue(name).orElse(absent);
    }
}
