package farm.gantry.api.resource;

import farm.gantry.api.json.RawJson;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;

/** HTTP responses whose body is already serialised JSON. */
public final class JsonResponses {
    private JsonResponses() {}

    /** Returns status 200. */
    public static <T> HttpResponse<T> ok(RawJson<T> json) {
        return HttpResponse.ok(declareAs(json)).contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    /** Returns status 201. */
    public static <T> HttpResponse<T> created(RawJson<T> json) {
        return HttpResponse.<T>status(HttpStatus.CREATED).body(declareAs(json)).contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    /** The declared type of a route describes the JSON; the body itself is already serialised. */
    @SuppressWarnings("unchecked")
    private static <T> T declareAs(RawJson<T> json) {
        return (T) json;
    }
}
