package farm.gantry.api.http;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;

/** A static file of the program, with its entity tag. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StaticFile(byte[] bytes, String type, EntityTag tag) {
    /** Cache-Control for files that are revalidated on each use. */
    public static final String REVALIDATE = "no-cache";

    /** Cache-Control for files that never change at their URL. */
    public static final String IMMUTABLE = "public, max-age=31536000, immutable";

    public static StaticFile of(byte[] bytes, String type) {
        return new StaticFile(bytes, type, EntityTag.of(bytes, bytes.length));
    }

    public MutableHttpResponse<byte[]> toResponse(HttpRequest<?> request, String caching) {
        boolean known = tag.isNoneMatchedBy(request.getHeaders().getAll(HttpHeaders.IF_NONE_MATCH));
        MutableHttpResponse<byte[]> answer =
                known ? HttpResponse.notModified() : HttpResponse.ok(bytes).contentType(MediaType.of(type));
        return answer.header(HttpHeaders.ETAG, tag.value()).header(HttpHeaders.CACHE_CONTROL, caching);
    }
}
