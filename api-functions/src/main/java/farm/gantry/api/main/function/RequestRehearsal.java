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
import java.util.ArrayList;
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
    private final List<Request> requests;

    /** A request; {@code scheme} is that of an unknown secret, or empty for a caller that passes. */
    private record Request(String method, String path, String scheme, String body) {}

    private RequestRehearsal(HttpApiFunction api, ApplicationContext context, List<Request> requests) {
        this.api = api;
        this.callers = context.getBean(RehearsalCaller.class);
        this.limits = context.getBean(RateLimits.class);
        this.json = context.getBean(JsonMapper.class);
        this.requests = requests;
    }

    /** Returns the requests of people and programs: a sign-in, a list, a record, a new one, and a changed one. */
    static RequestRehearsal ofApi(HttpApiFunction api, ApplicationContext context) {
        return new RequestRehearsal(
                api,
                context,
                List.of(
                        new Request("GET", "/v1/printers", "ApiKey", ""),
                        new Request("GET", "/v1/printers?limit=50&meta=true", PASSING, ""),
                        new Request("GET", "/v1/macros/" + Id.next(), PASSING, ""),
                        new Request("POST", "/v1/macros", PASSING, "{\"name\":\"\",\"type\":\"generic\"}"),
                        new Request("PATCH", "/v1/macros/" + Id.next(), PASSING, "{\"name\":\"a\"}")));
    }

    /** Returns the requests of agents. */
    static RequestRehearsal ofLink(HttpApiFunction api, ApplicationContext context) {
        return new RequestRehearsal(
                api,
                context,
                List.of(new Request(
                        "POST", "/v1/agents/link", "AgentToken", "{\"session\":\"rehearsal\",\"sequence\":0}")));
    }

    /** Sends all requests several times, and returns the statuses of the last responses. */
    List<Integer> run() throws IOException {
        List<Integer> statuses = List.of();
        String authorization = callers.open();
        try {
            limits.create(1, 1).check("rehearsal");
            for (int round = 0; round < ROUNDS; round++) {
                statuses = new ArrayList<>();
                for (Request request : requests) {
                    statuses.add(send(request, authorization));
                }
            }
        } finally {
            callers.close();
        }
        return statuses;
    }

    private int send(Request request, String authorization) throws IOException {
        String[] target = request.path().split("\\?", 2);
        String credential =
                request.scheme().isEmpty() ? authorization : request.scheme() + " " + SecretToken.generate(Id.next());
        byte[] event = json.writeValueAsBytes(new GatewayRequest(
                target[0],
                target.length > 1 ? target[1] : "",
                Map.of("authorization", credential, "content-type", "application/json", "accept-encoding", "gzip"),
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
