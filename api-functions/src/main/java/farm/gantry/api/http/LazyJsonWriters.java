package farm.gantry.api.http;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.core.io.buffer.ByteBuffer;
import io.micronaut.core.io.buffer.ByteBufferFactory;
import io.micronaut.core.type.Argument;
import io.micronaut.core.type.MutableHeaders;
import io.micronaut.core.util.SupplierUtil;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.body.ByteBodyFactory;
import io.micronaut.http.body.CloseableByteBody;
import io.micronaut.http.body.MessageBodyHandlerRegistry;
import io.micronaut.http.body.MessageBodyReader;
import io.micronaut.http.body.MessageBodyWriter;
import io.micronaut.http.body.ResponseBodyWriter;
import io.micronaut.json.body.CustomizableJsonHandler;
import jakarta.inject.Singleton;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Resolves the serialisers of a route at its first response. The router would resolve those of all routes at the start,
 * which takes a tenth of a cold start.
 */
@Singleton
final class LazyJsonWriters implements BeanCreatedEventListener<MessageBodyHandlerRegistry> {
    @Override
    public MessageBodyHandlerRegistry onCreated(BeanCreatedEvent<MessageBodyHandlerRegistry> event) {
        return new LazyWriterRegistry(event.getBean());
    }

    private record LazyWriterRegistry(MessageBodyHandlerRegistry handlers) implements MessageBodyHandlerRegistry {
        @Override
        public <T> Optional<MessageBodyReader<T>> findReader(Argument<T> type, List<MediaType> mediaTypes) {
            return handlers.findReader(type, mediaTypes);
        }

        @Override
        public <T> Optional<MessageBodyWriter<T>> findWriter(Argument<T> type, List<MediaType> mediaTypes) {
            return handlers.findWriter(type, mediaTypes)
                    .map(writer -> writer instanceof CustomizableJsonHandler ? new LazyWriter<>(writer) : writer);
        }
    }

    private record LazyWriter<T>(Supplier<ResponseBodyWriter<T>> writer) implements ResponseBodyWriter<T> {
        LazyWriter(MessageBodyWriter<T> writer) {
            ResponseBodyWriter<T> found = ResponseBodyWriter.wrap(writer);
            this(() -> found);
        }

        @Override
        public MessageBodyWriter<T> createSpecific(Argument<T> type) {
            return new LazyWriter<>(SupplierUtil.memoized(
                    () -> ResponseBodyWriter.wrap(writer.get().createSpecific(type))));
        }

        @Override
        public boolean isWriteable(Argument<T> type, MediaType mediaType) {
            return writer.get().isWriteable(type, mediaType);
        }

        @Override
        public boolean isBlocking() {
            return writer.get().isBlocking();
        }

        @Override
        public void writeTo(Argument<T> type, MediaType mediaType, T body, MutableHeaders headers, OutputStream out) {
            writer.get().writeTo(type, mediaType, body, headers, out);
        }

        @Override
        public ByteBuffer<?> writeTo(
                Argument<T> type,
                MediaType mediaType,
                T body,
                MutableHeaders headers,
                ByteBufferFactory<?, ?> buffers) {
            return writer.get().writeTo(type, mediaType, body, headers, buffers);
        }

        @Override
        public CloseableByteBody writePiece(
                ByteBodyFactory bodies,
                HttpRequest<?> request,
                HttpResponse<?> response,
                Argument<T> type,
                MediaType mediaType,
                T body) {
            return writer.get().writePiece(bodies, request, response, type, mediaType, body);
        }
    }
}
