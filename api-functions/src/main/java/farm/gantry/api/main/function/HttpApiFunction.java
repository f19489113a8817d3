package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import farm.gantry.api.database.SnapStartPreparation;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.BodyTypeCheck;
import farm.gantry.api.http.CsvResponses;
import farm.gantry.api.http.Gzip;
import farm.gantry.api.json.JsonText;
import io.micronaut.context.ApplicationContext;
import io.micronaut.function.aws.proxy.payload1.ApiGatewayProxyRequestEventFunction;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The API behind an API Gateway HTTP API. Micronaut's own function for payload format 2.0 splits values at commas,
 * drops cookies and does not know the caller's address. Therefore the request is converted to payload format 1.0, the
 * format of a REST API. This class also does what Netty does elsewhere, above all compression. It parses the event
 * itself, because the parser of Lambda's runtime takes a twentieth of a cold start.
 */
public final class HttpApiFunction implements RequestStreamHandler {
    private static final int MIN_COMPRESSED_BYTES = 1024;
    private static final int NOT_FOUND = 404;

    /** Body that replaces one that is not valid gzip, so that the route reports malformed JSON. */
    private static final byte[] NO_JSON = {0};

    private final ApiGatewayProxyRequestEventFunction function;
    private final JsonMapper json;
    private final int maxBytes;

    /** Used by Lambda; configured by the environment. */
    public HttpApiFunction() {
        this(FunctionContext.start());
        ApplicationContext context = function.getApplicationContext();
        SnapStartPreparation.rehearse(context, RequestRehearsal.ofApi(this, context)::run);
    }

    public HttpApiFunction(ApplicationContext context) {
        this(new ApiGatewayProxyRequestEventFunction(context));
    }

    private HttpApiFunction(ApiGatewayProxyRequestEventFunction function) {
        this.function = function;
        this.json = function.getApplicationContext().getBean(JsonMapper.class);
        this.maxBytes = Math.toIntExact(function.getApplicationContext()
                .getBean(HttpServerConfiguration.class)
                .getMaxRequestBufferSize());
    }

    @Override
    public void handleRequest(InputStream event, OutputStream answer, Context context) throws IOException {
        handleRequest(event, answer, context, _ -> true);
    }

    /** Handles a request; responds with 404 to paths that are not {@code served}. */
    void handleRequest(InputStream in, OutputStream out, Context context, Predicate<String> served) throws IOException {
        GatewayRequest event = json.readValue(in, GatewayRequest.class);
        json.writeValue(
                out,
                served.test(event.rawPath())
                        ? handle(event, context)
                        : new GatewayRequest.GatewayResponse(NOT_FOUND, Map.of(), List.of(), "", false));
    }

    private GatewayRequest.GatewayResponse handle(GatewayRequest event, Context context) {
        Map<String, List<String>> headers = readHeaders(event);
        APIGatewayProxyRequestEvent request = new APIGatewayProxyRequestEvent()
                .withHttpMethod(event.requestContext().http().method())
                .withPath(decodePath(event.rawPath()))
                .withMultiValueQueryStringParameters(parseQuery(event.rawQueryString()))
                .withRequestContext(toRequestContext(event))
                .withMultiValueHeaders(headers);
        setBody(event, headers, request);
        return toResponse(event, function.handleRequest(request, context));
    }

    /** Drops headers without effect on the response; filters cannot remove them from a request here. */
    private static Map<String, List<String>> readHeaders(GatewayRequest event) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        if (event.headers() != null) {
            event.headers().forEach((name, value) -> headers.put(name, List.of(value)));
        }
        if (event.cookies() != null && !event.cookies().isEmpty()) {
            headers.put("cookie", List.of(String.join("; ", event.cookies())));
        }
        List<String> accept = headers.remove("accept");
        headers.remove(CsvResponses.WANTED_HEADER);
        if (accept != null && CsvResponses.isWanted(accept)) {
            headers.put(CsvResponses.WANTED_HEADER, List.of("true"));
        }
        headers.remove(BodyTypeCheck.ORIGINAL_TYPE_HEADER);
        List<String> type = headers.get("content-type");
        if (type != null && (event.body() == null || event.body().isEmpty())) {
            headers.remove("content-type");
        } else if (type != null && !BodyTypeCheck.isJson(type.getFirst())) {
            headers.remove("content-type");
            headers.put(BodyTypeCheck.ORIGINAL_TYPE_HEADER, type);
        }
        return headers;
    }

    /** Parses the raw query as Netty does; the event's own map joins the values of a name with commas. */
    private static Map<String, List<String>> parseQuery(@Nullable String rawQuery) {
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (String pair : rawQuery == null ? new String[0] : rawQuery.split("[&;]", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String name = percentDecode(equals < 0 ? pair : pair.substring(0, equals));
                String value = equals < 0 ? "" : percentDecode(pair.substring(equals + 1));
                parameters.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
            }
        }
        return parameters;
    }

    private static String percentDecode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text; // an invalid percent escape
        }
    }

    /** Returns the path percent-encoded; the gateway may have decoded it. */
    private static String decodePath(String rawPath) {
        try {
            return new URI(rawPath).getRawPath();
        } catch (URISyntaxException e) {
            return URLEncoder.encode(rawPath, StandardCharsets.UTF_8)
                    .replace("%2F", "/")
                    .replace("+", "%20");
        }
    }

    private static APIGatewayProxyRequestEvent.ProxyRequestContext toRequestContext(GatewayRequest event) {
        return new APIGatewayProxyRequestEvent.ProxyRequestContext()
                .withRequestId(event.requestContext().requestId())
                .withStage(event.requestContext().stage())
                .withIdentity(new APIGatewayProxyRequestEvent.RequestIdentity()
                        .withSourceIp(event.requestContext().http().sourceIp()));
    }

    /** Sets the length after decompression, which the body size limit checks. */
    private void setBody(GatewayRequest event, Map<String, List<String>> headers, APIGatewayProxyRequestEvent request) {
        if (event.body() == null || event.body().isEmpty()) {
            return;
        }
        byte[] body = event.isBase64Encoded()
                ? Base64.getDecoder().decode(event.body())
                : event.body().getBytes(StandardCharsets.UTF_8);
        body = decompress(body, headers);
        headers.put("content-length", List.of(Integer.toString(body.length)));
        request.withBody(Base64.getEncoder().encodeToString(body)).withIsBase64Encoded(true);
    }

    /** Decompresses the body. Where Netty serves requests, a body reader does this, but Micronaut uses none here. */
    private byte[] decompress(byte[] body, Map<String, List<String>> headers) {
        try {
            byte[] plain = headers.getOrDefault("content-encoding", List.of()).equals(List.of("gzip"))
                    ? Gzip.decompress(body, maxBytes + 1)
                    : body;
            boolean isJson = !headers.containsKey(BodyTypeCheck.ORIGINAL_TYPE_HEADER);
            if (isJson && plain.length <= maxBytes) {
                JsonText.parse(plain);
            }
            return plain;
        } catch (IOException | ProblemException e) {
            return NO_JSON;
        }
    }

    private static GatewayRequest.GatewayResponse toResponse(
            GatewayRequest event, APIGatewayProxyResponseEvent answer) {
        Map<String, String> headers = new HashMap<>();
        List<String> cookies = new ArrayList<>();
        answer.getMultiValueHeaders().forEach((name, values) -> {
            if (name.equalsIgnoreCase("set-cookie")) {
                cookies.addAll(values);
            } else {
                headers.put(name.toLowerCase(Locale.ROOT), String.join(",", values));
            }
        });
        boolean head = event.requestContext().http().method().equals("HEAD");
        String body = head ? "" : Objects.requireNonNullElse(answer.getBody(), "");
        boolean encoded = Boolean.TRUE.equals(answer.getIsBase64Encoded());
        if (!encoded && body.length() >= MIN_COMPRESSED_BYTES && acceptsGzip(event)) {
            body = Base64.getEncoder().encodeToString(Gzip.compress(body.getBytes(StandardCharsets.UTF_8)));
            encoded = true;
            headers.put("content-encoding", "gzip");
            headers.remove("content-length");
        }
        return new GatewayRequest.GatewayResponse(answer.getStatusCode(), headers, cookies, body, encoded);
    }

    private static boolean acceptsGzip(GatewayRequest event) {
        return event.headers() != null && Gzip.isPreferred(event.headers().getOrDefault("accept-encoding", ""));
    }
}
