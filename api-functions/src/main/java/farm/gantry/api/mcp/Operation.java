package farm.gantry.api.mcp;

import io.micronaut.core.convert.ConversionService;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpParameters;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpRequestWrapper;
import io.micronaut.http.simple.SimpleHttpParameters;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An operation of the HTTP API; {@code path} has no variables and no query. */
record Operation(HttpMethod method, String path) {
    static Operation get(String path) {
        return new Operation(HttpMethod.GET, path);
    }

    static Operation patch(String path) {
        return new Operation(HttpMethod.PATCH, path);
    }

    static Operation post(String path) {
        return new Operation(HttpMethod.POST, path);
    }

    /** Returns the request for this operation, which keeps everything else of the request that it is called by. */
    HttpRequest<?> request(HttpRequest<?> outer, Map<String, String> parameters, ConversionService conversion) {
        return new InnerRequest<>(outer, this, parameters, conversion);
    }

    private static final class InnerRequest<B> extends HttpRequestWrapper<B> {
        private final Operation operation;
        private final HttpParameters parameters;

        InnerRequest(
                HttpRequest<B> outer,
                Operation operation,
                Map<String, String> parameters,
                ConversionService conversion) {
            super(outer);
            this.operation = operation;
            Map<CharSequence, List<String>> all = new LinkedHashMap<>();
            parameters.forEach((name, value) -> all.put(name, List.of(value)));
            this.parameters = new SimpleHttpParameters(all, conversion);
        }

        @Override
        public HttpMethod getMethod() {
            return operation.method();
        }

        @Override
        public String getMethodName() {
            return operation.method().name();
        }

        @Override
        public URI getUri() {
            return URI.create(operation.path());
        }

        @Override
        public String getPath() {
            return operation.path();
        }

        @Override
        public HttpParameters getParameters() {
            return parameters;
        }
    }
}
