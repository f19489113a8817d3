package farm.gantry.api;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What API Gateway makes of a request (payload 2.0), and of a function's answer. */
final class HttpApiEvent {
    private static final JsonMapper MAPPER = JsonMapper.createDefault();

    private HttpApiEvent() {}

    static byte[] of(Call call) {
        int question = call.target().indexOf('?');
        String path = question < 0 ? call.target() : call.target().substring(0, question);
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("version", "2.0");
        event.put("routeKey", "$default");
        event.put("rawPath", path);
        event.put("rawQueryString", question < 0 ? "" : call.target().substring(question + 1));
        Map<String, String> headers = new LinkedHashMap<>();
        List<String> cookies = new ArrayList<>();
        for (Map.Entry<String, String> header : call.headers()) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (name.equals("cookie")) {
                cookies.addAll(List.of(header.getValue().split("; ", -1)));
            } else {
                headers.merge(name, header.getValue(), (one, two) -> one + "," + two);
            }
        }
        event.put("cookies", cookies);
        event.put("headers", headers);
        event.put(
                "requestContext",
                Map.of(
                        "requestId",
                        "gateway",
                        "stage",
                        "$default",
                        "http",
                        Map.of(
                                "method",
                                call.method(),
                                "path",
                                path,
                                "protocol",
                                "HTTP/1.1",
                                "sourceIp",
                                "127.0.0.1")));
        boolean binary = headers.containsKey("content-encoding");
        if (call.body().length > 0) {
            event.put(
                    "body",
                    binary
                            ? Base64.getEncoder().encodeToString(call.body())
                            : new String(call.body(), StandardCharsets.UTF_8));
        }
        event.put("isBase64Encoded", binary);
        try {
            return MAPPER.writeValueAsBytes(event);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Answer answer(byte[] json) {
        JsonNode answer = Answer.tree(json);
        Map<String, List<String>> headers = new LinkedHashMap<>();
        answer.get("headers")
                .entries()
                .forEach(header ->
                        headers.put(header.getKey(), List.of(header.getValue().getStringValue())));
        List<String> cookies = new ArrayList<>();
        JsonNode set = answer.get("cookies");
        if (set != null && set.isArray()) {
            set.values().forEach(cookie -> cookies.add(cookie.getStringValue()));
        }
        if (!cookies.isEmpty()) {
            headers.put("set-cookie", cookies);
        }
        String body = answer.get("body").getStringValue();
        return new Answer(
                answer.get("statusCode").getIntValue(),
                headers,
                answer.get("isBase64Encoded").getBooleanValue()
                        ? Base64.getDecoder().decode(body)
                        : body.getBytes(StandardCharsets.UTF_8));
    }
}
