package farm.gantry.api.http;

import farm.gantry.Id;
import farm.gantry.StoreId;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.core.propagation.ThreadPropagatedContextElement;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Sets {@code X-Request-Id} on every response: the caller's own if it is valid, else a new one. */
@ServerFilter("/**")
@Order(Ordered.HIGHEST_PRECEDENCE) // plain-words: ok
public final class RequestIds {
    private static final String HEADER = "X-Request-Id";
    private static final String ATTRIBUTE = "gantry.requestId";
    private static final String REQUEST = "requestId";
    private static final String STORE = "storeId";
    private static final int LENGTH = 24;
    private static final Pattern VISIBLE = Pattern.compile("[\\x21-\\x7e]{1,128}");

    /** Returns the id of the request, which its response and log lines carry. */
    public static String of(HttpRequest<?> request) {
        return request.getAttribute(ATTRIBUTE, String.class).orElseGet(() -> {
            String sent = request.getHeaders().get(HEADER);
            String id = sent != null && VISIBLE.matcher(sent).matches() ? sent : newId();
            request.setAttribute(ATTRIBUTE, id);
            return id;
        });
    }

    /**
     * Uses the secure generator, which is reseeded in each copy of a function; a faster one would repeat the same ids
     * in all copies.
     */
    public static String newId() {
        return Id.random(LENGTH);
    }

    @RequestFilter
    void assignId(HttpRequest<?> request, MutablePropagatedContext context) {
        context.add(new RequestIdLogContext(of(request)));
    }

    /** Adds the store to subsequent log lines of the request. */
    public static void logStore(HttpRequest<?> request, StoreId store) {
        request.setAttribute(STORE, store.value());
        MDC.put(STORE, store.value());
    }

    /** Adds the request's store to log lines written outside of its route. */
    static MDC.MDCCloseable logRequestStore(HttpRequest<?> request) {
        return MDC.putCloseable(STORE, request.getAttribute(STORE, String.class).orElse(""));
    }

    @ResponseFilter
    void addHeader(HttpRequest<?> request, MutableHttpResponse<?> response) {
        setHeader(of(request), response);
    }

    static void setHeader(String id, MutableHttpResponse<?> response) {
        response.getHeaders().set(HEADER, id);
    }

    /**
     * Adds the request's id to log lines on every thread that works for it. Micronaut's own element copies the whole
     * logging context on each thread switch, about a dozen times per request.
     */
    private record RequestIdLogContext(String id) implements ThreadPropagatedContextElement<@Nullable String> {
        @Override
        public @Nullable String updateThreadContext() {
            String before = MDC.get(REQUEST);
            if (!id.equals(before)) {
                MDC.put(REQUEST, id);
            }
            return before;
        }

        /** Removes the store together with the request that set it. */
        @Override
        public void restoreThreadContext(@Nullable String before) {
            if (before == null) {
                MDC.clear();
            } else if (!before.equals(id)) {
                MDC.put(REQUEST, before);
            }
        }
    }
}
