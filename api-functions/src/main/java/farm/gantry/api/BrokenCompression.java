package farm.gantry.api;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.netty.handler.codec.compression.DecompressionException;
import jakarta.inject.Singleton;

/** A body that calls itself compressed and is not is the client's fault. */
@Singleton
final class BrokenCompression implements ExceptionHandler<DecompressionException, HttpResponse<ProblemBody>> {
    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<ProblemBody> handle(HttpRequest request, DecompressionException broken) {
        return Problems.answer(request, new Problem.MalformedJson("the body is not of its Content-Encoding"));
    }
}
