package farm.gantry.api.resource;

import farm.gantry.api.json.RawJson;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;

/** Answers of routes that are JSON already. */
public final class Answers {
    private Answers() {}

    /** Status 200. */
    public static <T> HttpResponse<T> ok(RawJson<T> json) {
        return HttpResponse.ok(cast(json)).contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    /** Status 201. */
    public static <T> HttpResponse<T> created(RawJson<T> json) {
        return HttpResponse.<T>status(HttpStatus.CREATED).body(cast(json)).contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    /** A route declares the shape of its answer; the body is JSON of that shape, already made. */
    @SuppressWarnings("unchecked")
    private static <T> T cast(RawJson<T> json) {
        return (T) json;
    }
}
