package farm.gantry.api.http;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.BodyNames;
import farm.gantry.api.json.JsonText;
import io.micronaut.core.io.buffer.ByteBuffer;
import io.micronaut.core.type.Argument;
import io.micronaut.core.type.Headers;
import io.micronaut.core.type.MutableHeaders;
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
import java.util.List;
import java.util.Locale;

/**
 * Reads JSON bodies, optionally gzip-compressed, and finds the fields in them that the server ignores. A reader gets the
 * headers of the request but not its route, so the key of the body's shape is in one of these headers.
 */
@Singleton
@Consumes(MediaType.APPLICATION_JSON)
public final class JsonBodyReader implements MessageBodyReader<JsonNode> {
    /** Header that the server sets to the key of the body's shape. */
    public static final String SHAPE = "Gantry-Body-Shape";

    /** Header that the reader sets to the ignored fields of the body. */
    public static final String IGNORED = "Gantry-Body-Ignored";

    private final BodyNames names;
    private final int maxBytes;

    JsonBodyReader(BodyNames names, HttpServerConfiguration server) {
        this.names = names;
        this.maxBytes = Math.toIntExact(server.getMaxRequestBufferSize());
    }

    @Override
    public JsonNode read(Argument<JsonNode> type, MediaType mediaType, Headers headers, InputStream in) {
        try (in) {
            return parse(headers, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public JsonNode read(Argument<JsonNode> type, MediaType mediaType, Headers headers, ByteBuffer<?> buffer) {
        return parse(headers, buffer.toByteArray());
    }

    private JsonNode parse(Headers headers, byte[] body) {
        JsonNode tree = JsonText.parse(decode(headers, body));
        String shape = headers.get(SHAPE);
        if (shape != null) {
            List<String> ignored = names.ignored(shape, tree, IgnoredNames.isStrict(headers));
            if (!ignored.isEmpty() && headers instanceof MutableHeaders request) {
                request.set(IGNORED, IgnoredNames.value(ignored));
            }
        }
        return tree;
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
