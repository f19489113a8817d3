package farm.gantry.api.http;

import farm.gantry.api.json.RawJson;
import io.micronaut.core.io.buffer.ByteBuffer;
import io.micronaut.core.io.buffer.ByteBufferFactory;
import io.micronaut.core.type.Argument;
import io.micronaut.core.type.MutableHeaders;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.body.MessageBodyWriter;
import io.micronaut.http.codec.CodecException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.OutputStream;

/** Writes {@link RawJson} bytes unchanged. */
@Singleton
@Produces(MediaType.APPLICATION_JSON)
final class JsonBodyWriter implements MessageBodyWriter<RawJson<?>> {
    @Override
    public void writeTo(
            Argument<RawJson<?>> type, MediaType mediaType, RawJson<?> json, MutableHeaders headers, OutputStream out)
            throws CodecException {
        headers.set(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_JSON);
        try {
            out.write(json.bytes(), 0, json.length());
        } catch (IOException e) {
            throw new CodecException("cannot write the answer", e);
        }
    }

    @Override
    public ByteBuffer<?> writeTo(
            Argument<RawJson<?>> type,
            MediaType mediaType,
            RawJson<?> json,
            MutableHeaders headers,
            ByteBufferFactory<?, ?> buffers) {
        headers.set(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_JSON);
        return buffers.wrap(json.bytes()).writerIndex(json.length());
    }
}
