package farm.gantry.api;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** Netty, over a socket. */
public final class Socket implements Host {
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    @Override
    public Answer send(Call call) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(Farm.url() + call.target()))
                .timeout(Duration.ofSeconds(20))
                .method(
                        call.method(),
                        call.body().length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(call.body()));
        for (Map.Entry<String, String> header : call.headers()) {
            request.header(header.getKey(), header.getValue());
        }
        HttpResponse<byte[]> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        return new Answer(response.statusCode(), response.headers().map(), response.body());
    }
}
