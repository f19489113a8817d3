package farm.gantry.api.http;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.JsonText;
import io.micronaut.core.io.buffer.ByteBuffer;
import io.micronaut.core.type.Argument;
import io.micronaut.core.type.Headers;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.body.MessageBodyReader;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;

/** Reads JSON bodies, optionally gzip-compressed. */
@Singleton
@Consumes(MediaType.APPLICATION_JSON)
final class JsonBodyReader implements MessageBodyReader<JsonNode> {
    private final int maxBytes;

    JsonBodyReader(HttpServerConfiguration server) {
        this.maxBytes = Math.toIntExact(server.getMaxRequestBufferSize());
    }

    @Override
    public JsonNode read(Argument<JsonNode> type, MediaType mediaType, Headers headers, InputStream in) {
        try (in) {
            return JsonText.parse(decode(headers, in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public JsonNode read(Argument<JsonNode> type, MediaType mediaType, Headers headers, ByteBuffer<?> buffer) {
        return JsonText.parse(decode(headers, buffer.toByteArray()));
    }

    private byte[] decode(Headers headers, byte[] body) {
        String coding = headers.get(HttpHeaders.CONTENT_ENCODING);
        return switch (coding == null ? "" : coding.strip().toLowerCase(Locale.ROOT)) {
            case "", "identity" -> body;
            case "gzip", "x-gzip" -> decompress(body);
            default ->
                throw new ProblemException(new Problem.UnsupportedMediaType(
                        "a body may be compressed with gzip, not with '" + coding + "'"));
        };
    }

    private byte[] decompress(byte[] body) {
        byte[] plain;
        try {
            plain = Gzip.decompress(body, maxBytes + 1);
        } catch (IOException e) {
            throw new ProblemException(
                    new Problem.MalformedJson("the body does not match its Content-Encoding: " + e.getMessage()));
        }
        if (plain.length > maxBytes) {
            throw new ProblemException(new Problem.TooLarge("the body is larger than " + maxBytes + " bytes"));
        }
        return plain;
    }
}
