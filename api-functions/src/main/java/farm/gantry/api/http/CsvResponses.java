package farm.gantry.api.http;

import farm.gantry.api.json.RawJson;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.types.files.StreamedFile;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * Converts lists to CSV for clients that send {@code Accept: text/csv}. Headers say whether another page follows.
 * Responses that are not lists stay JSON.
 */
@ServerFilter("/**")
public final class CsvResponses {
    /** Request header that replaces {@code Accept: text/csv}, because routes accept only JSON. */
    public static final String WANTED_HEADER = "Gantry-Wants-Csv";

    /** The media type of CSV. */
    public static final String CSV = "text/csv";

    /** Response header with the cursor of the next page. */
    public static final String CURSOR_HEADER = "Gantry-Next-Cursor";

    /** Response header: whether another page follows. */
    public static final String MORE_HEADER = "Gantry-Has-More";

    private static final MediaType CSV_IN_UTF_8 = MediaType.of(CSV + ";charset=utf-8");

    private final JsonMapper mapper;

    CsvResponses(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /** Returns whether the first media type of the header is CSV. */
    public static boolean isWanted(List<String> accept) {
        return !accept.isEmpty()
                && accept.getFirst().strip().toLowerCase(Locale.ROOT).startsWith(CSV);
    }

    /** Returns whether the client of the request wants CSV. */
    public static boolean isWanted(HttpRequest<?> request) {
        return request.getHeaders().contains(WANTED_HEADER);
    }

    /**
     * Returns a response that reads each page of records when the client has received the one before. If a page fails,
     * the connection is closed, so that the client does not take the table for complete.
     */
    @SuppressWarnings("unchecked") // the declared type of a route describes the JSON
    public static <T> HttpResponse<T> stream(List<String> columns, Iterator<List<JsonNode>> pages) {
        return HttpResponse.ok((T) new StreamedFile(CsvStream.of(columns, pages), CSV_IN_UTF_8))
                .contentType(CSV_IN_UTF_8);
    }

    @ResponseFilter
    void convert(HttpRequest<?> request, MutableHttpResponse<?> response) {
        if (!isWanted(request) || response.code() >= 300) {
            return;
        }
        JsonNode body = toTree(response.body());
        JsonNode records = body.isObject() && body.get("meta") != null ? body.get("data") : body;
        if (records == null || !records.isArray()) {
            return;
        }
        JsonNode meta = body.isObject() ? body.get("meta") : null;
        JsonNode cursor = meta == null ? null : meta.get("nextCursor");
        if (cursor != null) {
            response.header(CURSOR_HEADER, cursor.getStringValue());
        }
        JsonNode more = meta == null ? null : meta.get("hasMore");
        if (more != null) {
            response.header(MORE_HEADER, more.coerceStringValue());
        }
        String table = new CsvTable(records).text();
        response.body(table.getBytes(StandardCharsets.UTF_8)).contentType(CSV_IN_UTF_8);
    }

    private JsonNode toTree(Object body) {
        try {
            if (body instanceof RawJson<?> json) {
                return mapper.readValue(json.text(), JsonNode.class);
            }
            return body instanceof List<?> list ? mapper.writeValueToTree(list) : JsonNode.nullNode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
