package farm.gantry.api.main.function;

import io.micronaut.function.aws.proxy.MockLambdaContext;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Starts the API as a function, configured by the environment, and has it answer a few requests of the key that is its argument,
 * so that Java can keep the classes which that takes ({@code -XX:AOTCacheOutput}). No part of an install.
 */
public final class AotCacheTraining {
    private AotCacheTraining() {}

    public static void main(String[] arguments) throws IOException {
        HttpApiFunction function = new HttpApiFunction();
        for (List<String> request : List.of(
                List.of("GET", "/v1/printers"),
                List.of("GET", "/v1/macros"),
                List.of("POST", "/v1/agents/pairing-codes"),
                List.of("POST", "/v1/agents/link"))) {
            String event = """
                    {"version": "2.0", "rawPath": "%2$s", "rawQueryString": "", "headers": {"content-type": "application/json",
                     "authorization": "ApiKey %3$s"}, "isBase64Encoded": false, "requestContext": {"requestId": "1", "stage": "$default",
                     "http": {"method": "%1$s", "path": "%2$s", "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1"}}, "body": "{}"}
                    """.formatted(request.getFirst(), request.getLast(), arguments[0]);
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            function.handleRequest(
                    new ByteArrayInputStream(event.getBytes(StandardCharsets.UTF_8)), answer, new MockLambdaContext());
            System.out.println(request + " " + answer.toString(StandardCharsets.UTF_8));
        }
        System.exit(0);
    }
}
