package farm.gantry.api.main.function;

import farm.gantry.Id;
import farm.gantry.api.apikey.RehearsalCaller;
import farm.gantry.api.http.ratelimit.RateLimits;
import farm.gantry.apikey.SecretToken;
import io.micronaut.context.ApplicationContext;
import io.micronaut.function.aws.proxy.MockLambdaContext;
import io.micronaut.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sends representative requests to a function before its snapshot, so that the snapshot contains their loaded and
 * compiled code. Nothing is written: the callers are unknown, or of a store that does not exist.
 */
final class RequestRehearsal {
    /** Enough for the compiler of Lambda's JVM. */
    private static final int ROUNDS = 20;

    private static final String PASSING = "";

    private final HttpApiFunction api;
    private final RehearsalCaller callers;
    private final RateLimits limits;
    private final JsonMapper json;
    private final Map<String, String> originSecret;
    private final List<Request> requests;

    /** A request; {@code scheme} is that of an unknown secret, or empty for a caller that passes. */
    private record Request(String method, String path, String scheme, String body, int expectedStatus) {}

    private RequestRehearsal(HttpApiFunction api, ApplicationContext context, List<Request> requests) {
        this.api = api;
        this.callers = context.getBean(RehearsalCaller.class);
        this.limits = context.getBean(RateLimits.class);
        this.json = context.getBean(JsonMapper.class);
        this.originSecret = context.getProperty(GatewayCallerAddress.SECRET_PROPERTY, String.class)
                .map(secret -> Map.of(GatewayCallerAddress.SECRET_HEADER, secret))
                .orElse(Map.of());
        this.requests = requests;
    }

    /** Returns the requests of people and programs: a sign-in, a list, a record, a new one, and a changed one. */
    static RequestRehearsal ofApi(HttpApiFunction api, ApplicationContext context) {
        return new RequestRehearsal(
                api,
                context,
                List.of(
                        new Request("GET", "/v1/printers", "ApiKey", "", 401),
                        new Request("GET", "/v1/printers?limit=50&meta=true", PASSING, "", 200),
                        new Request("GET", "/v1/macros/" + Id.next(), PASSING, "", 404),
                        new Request("POST", "/v1/macros", PASSING, "{\"name\":\"\",\"type\":\"generic\"}", 400),
                        new Request("PATCH", "/v1/macros/" + Id.next(), PASSING, "{\"name\":\"a\"}", 404)));
    }

    /** Returns the requests of agents. */
    static RequestRehearsal ofLink(HttpApiFunction api, ApplicationContext context) {
        return new RequestRehearsal(
                api,
                context,
                List.of(new Request(
                        "POST", "/v1/agents/link", "AgentToken", "{\"session\":\"rehearsal\",\"sequence\":0}", 401)));
    }

    /**
     * Sends all requests several times. Throws IllegalStateException if a response has another status than expected, because the
     * snapshot then lacks the code of that request.
     */
    void run() throws IOException {
        String authorization = callers.open();
        try {
            limits.create(1, 1).check("rehearsal");
            for (int round = 0; round < ROUNDS; round++) {
                for (Request request : requests) {
                    int status = send(request, authorization);
                    if (status != request.expectedStatus()) {
                        throw new IllegalStateException("%s %s was answered with %d instead of %d"
                                .formatted(request.method(), request.path(), status, request.expectedStatus()));
                    }
                }
            }
        } finally {
            callers.close();
        }
    }

    private int send(Request request, String authorization) throws IOException {
        String[] target = request.path().split("\\?", 2);
        String credential =
                request.scheme().isEmpty() ? authorization : request.scheme() + " " + SecretToken.generate(Id.next());
        Map<String, String> headers = new HashMap<>(originSecret);
        headers.putAll(
                Map.of("authorization", credential, "content-type", "application/json", "accept-encoding", "gzip"));
        byte[] event = json.writeValueAsBytes(new GatewayRequest(
                target[0],
                target.length > 1 ? target[1] : "",
                headers,
                null,
                request.body(),
                false,
                new GatewayRequest.RequestContext(
                        Id.next(), "$default", new GatewayRequest.Http(request.method(), "127.0.0.1"))));
        ByteArrayOutputStream response = new ByteArrayOutputStream();
        api.handleRequest(new ByteArrayInputStream(event), response, new MockLambdaContext());
        return json.readValue(response.toByteArray(), GatewayRequest.GatewayResponse.class)
                .statusCode();
    }
}
