package farm.gantry.api.main.function;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request in payload format 2.0 of API Gateway or a function URL, limited to what the API reads. */
@Serdeable
record GatewayRequest(
        String rawPath,
        @Nullable String rawQueryString,
        @Nullable Map<String, String> headers,
        @Nullable List<String> cookies,
        @Nullable String body,
        boolean isBase64Encoded,
        RequestContext requestContext) {
    @Serdeable
    record RequestContext(
            @Nullable String requestId, @Nullable String stage, Http http) {}

    @Serdeable
    record Http(String method, String sourceIp) {}

    /** The response in payload format 2.0. */
    @Serdeable
    record GatewayResponse(
            int statusCode, Map<String, String> headers, List<String> cookies, String body, boolean isBase64Encoded) {}
}
