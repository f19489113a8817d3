package farm.gantry.api.http;

import farm.gantry.api.database.Database;
import farm.gantry.api.error.DiskFullException;
import farm.gantry.api.error.Fault;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.wire.LinkRequest;
import io.micronaut.context.annotation.Primary;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.convert.exceptions.ConversionErrorException;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.web.router.exceptions.UnsatisfiedRouteException;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts problems, and errors of the HTTP server itself, into responses with a {@link ProblemBody}. */
@Singleton
@Primary
final class ProblemResponses implements ErrorResponseProcessor<ProblemBody> {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemResponses.class);
    private static final Duration OUTAGE_RETRY_DELAY = Duration.ofSeconds(2);
    private static final Duration MOVE_RETRY_DELAY = Duration.ofSeconds(10);
    private static final Duration DISK_FULL_RETRY_DELAY = Duration.ofSeconds(30);

    static MutableHttpResponse<ProblemBody> toResponse(HttpRequest<?> request, Problem problem) {
        return toResponse(request, HttpResponse.ok(), problem);
    }

    private static MutableHttpResponse<ProblemBody> toResponse(
            HttpRequest<?> request, MutableHttpResponse<?> response, Problem problem) {
        String id = RequestIds.of(request);
        MutableHttpResponse<ProblemBody> answer = switch (problem) {
            case Problem.MalformedJson p -> problemResponse(response, 400, "malformed_json", p, id);
            case Problem.Invalid p -> problemResponse(response, 400, "validation_failed", p, id, p.faults());
            case Problem.BadRequest p -> problemResponse(response, 400, "bad_request", p, id);
            case Problem.InvalidFilter p ->
                problemResponse(
                        response,
                        400,
                        "invalid_filter",
                        p,
                        id,
                        List.of(new Fault(p.parameter(), "invalid", p.message())));
            case Problem.InvalidSort p ->
                problemResponse(
                        response, 400, "invalid_sort", p, id, List.of(new Fault("sort", "invalid", p.message())));
            case Problem.InvalidInclude p -> problemResponse(response, 400, "invalid_include", p, id);
            case Problem.Unauthorized p ->
                problemResponse(response, 401, "unauthorized", p, id)
                        .header(HttpHeaders.WWW_AUTHENTICATE, p.scheme().name());
            case Problem.Forbidden p ->
                problemResponse(
                        response,
                        403,
                        "forbidden",
                        p,
                        id,
                        p.missing() == null
                                ? null
                                : List.of(new Fault(p.missing().wireName(), "permission", p.message())));
            case Problem.NotFound p -> problemResponse(response, 404, "not_found", p, id);
            case Problem.UnknownIds p ->
                withBody(response, new ProblemBody(404, "not_found", p.message(), id, null, null, p.missing(), null));
            case Problem.MethodNotAllowed p -> problemResponse(response, 405, "method_not_allowed", p, id);
            case Problem.TooSlow p ->
                problemResponse(response, 408, "request_timeout", p, id).header(HttpHeaders.CONNECTION, "close");
            case Problem.Conflict p -> problemResponse(response, 409, "conflict", p, id);
            case Problem.AgentSuperseded p -> problemResponse(response, 409, LinkRequest.Instance.SUPERSEDED, p, id);
            case Problem.DevicesAlreadyRegistered p ->
                withBody(response, new ProblemBody(409, "conflict", p.message(), id, null, p.conflicts(), null, null));
            case Problem.PrintersUnable p -> problemResponse(response, 409, "conflict", p, id, p.faults());
            case Problem.IdempotencyInProgress p -> problemResponse(response, 409, "idempotency_in_progress", p, id);
            case Problem.IdempotencyResponseLost p -> problemResponse(response, 409, "idempotency_answer_lost", p, id);
            case Problem.IdempotencyKeyReused p -> problemResponse(response, 422, "idempotency_key_reused", p, id);
            case Problem.PreconditionFailed p -> problemResponse(response, 412, "precondition_failed", p, id);
            case Problem.TooLarge p -> problemResponse(response, 413, "payload_too_large", p, id);
            case Problem.PageTooLarge p -> problemResponse(response, 413, "page_too_large", p, id);
            case Problem.UnsupportedMediaType p -> problemResponse(response, 415, "unsupported_media_type", p, id);
            case Problem.RangeNotSatisfiable p ->
                problemResponse(response, 416, "range_not_satisfiable", p, id)
                        .header(HttpHeaders.CONTENT_RANGE, "bytes */" + p.size());
            case Problem.StoreMoved p ->
                p.address() == null
                        ? withRetryAfter(problemResponse(response, 503, "unavailable", p, id), MOVE_RETRY_DELAY)
                        : withBody(
                                response,
                                new ProblemBody(
                                        421, LinkRequest.STORE_MOVED, p.message(), id, null, null, null, p.address()));
            case Problem.RateLimited p ->
                withRetryAfter(problemResponse(response, 429, "rate_limited", p, id), p.retryAfter());
            case Problem.Internal p -> problemResponse(response, 500, "internal", p, id);
            case Problem.NotImplemented p -> problemResponse(response, 501, "not_implemented", p, id);
            case Problem.Unavailable p ->
                withRetryAfter(problemResponse(response, 503, "unavailable", p, id), p.retryAfter());
        };
        RequestIds.setHeader(id, answer); // filters do not run for protocol errors
        SecurityHeaders.add(request, answer.getHeaders());
        return answer.contentType(MediaType.APPLICATION_JSON_TYPE);
    }

    private static MutableHttpResponse<ProblemBody> problemResponse(
            MutableHttpResponse<?> response, int status, String code, Problem problem, String requestId) {
        return problemResponse(response, status, code, problem, requestId, null);
    }

    private static MutableHttpResponse<ProblemBody> problemResponse(
            MutableHttpResponse<?> response,
            int status,
            String code,
            Problem problem,
            String requestId,
            @Nullable List<Fault> details) {
        return withBody(
                response, new ProblemBody(status, code, problem.message(), requestId, details, null, null, null));
    }

    private static MutableHttpResponse<ProblemBody> withBody(MutableHttpResponse<?> response, ProblemBody body) {
        return response.status(body.statusCode()).body(body);
    }

    private static MutableHttpResponse<ProblemBody> withRetryAfter(
            MutableHttpResponse<ProblemBody> response, Duration after) {
        return response.header(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, after.toSeconds())));
    }

    /** Handles errors that occur before a route is reached. */
    @Override
    public MutableHttpResponse<ProblemBody> processResponse(ErrorContext context, MutableHttpResponse<?> response) {
        try (var _ = RequestIds.logRequestStore(context.getRequest())) {
            return toResponse(context, response);
        }
    }

    private static MutableHttpResponse<ProblemBody> toResponse(ErrorContext context, MutableHttpResponse<?> response) {
        HttpRequest<?> request = context.getRequest();
        String details = context.getErrors().stream()
                .map(error -> error.getMessage())
                .findFirst()
                .orElse(response.reason());
        Throwable cause = context.getRootCause().orElse(null);
        if (Database.isDiskFull(cause) || DiskFullException.isCauseOf(cause)) {
            LOG.error(
                    "request {} failed because the disk is full; free disk space: {}",
                    RequestIds.of(request),
                    String.valueOf(cause));
            return toResponse(
                    request,
                    response,
                    new Problem.Unavailable("nothing was stored: the disk is full", DISK_FULL_RETRY_DELAY));
        }
        if (Database.isOutage(cause)) {
            LOG.warn(
                    "request {} failed because the database is unreachable: {}",
                    RequestIds.of(request),
                    String.valueOf(cause));
            return toResponse(
                    request, response, new Problem.Unavailable("the database is unreachable", OUTAGE_RETRY_DELAY));
        }
        if (Database.isTimeout(cause)) {
            LOG.warn(
                    "request {} failed because a database statement timed out: {}",
                    RequestIds.of(request),
                    String.valueOf(cause));
            return toResponse(
                    request,
                    response,
                    new Problem.Unavailable("nothing was changed: the database timed out; retry", OUTAGE_RETRY_DELAY));
        }
        if (response.code() >= 500) {
            LOG.error(
                    "request {} {} {} failed",
                    RequestIds.of(request),
                    request.getMethodName(),
                    request.getPath(),
                    cause);
        }
        if (cause instanceof UnsatisfiedRouteException absent && isBody(absent.getArgument())) {
            return toResponse(request, response, new Problem.MalformedJson("the request needs a body of JSON"));
        }
        Problem.Invalid parameter = findParameterFault(cause);
        if (parameter != null) {
            return toResponse(request, response, parameter);
        }
        return toResponse(
                request,
                response,
                switch (response.status()) {
                    case NOT_FOUND -> new Problem.NotFound("no such path: " + request.getPath());
                    case METHOD_NOT_ALLOWED -> new Problem.MethodNotAllowed(methodNotAllowed(request, response));
                    case REQUEST_ENTITY_TOO_LARGE ->
                        new Problem.TooLarge("the request line, the headers or the body are too large");
                    case UNSUPPORTED_MEDIA_TYPE -> new Problem.UnsupportedMediaType(details);
                    case UNAUTHORIZED -> new Problem.Unauthorized(Problem.Scheme.ApiKey);
                    case SERVICE_UNAVAILABLE -> new Problem.Unavailable(details, Duration.ofSeconds(1));
                    default ->
                        response.code() >= 500
                                ? new Problem.Internal()
                                : new Problem.MalformedJson("the request cannot be read: " + details);
                });
    }

    /** Returns the fault of a path or query parameter, if that is why the route was not reached. */
    private static Problem.@Nullable Invalid findParameterFault(@Nullable Throwable cause) {
        return switch (cause) {
            case UnsatisfiedRouteException absent -> invalidParameter(absent.getArgument(), "required", "is required");
            case ConversionErrorException wrong ->
                invalidParameter(wrong.getArgument(), "type", expectedFormat(wrong.getArgument()));
            case null, default -> null;
        };
    }

    private static Problem.@Nullable Invalid invalidParameter(Argument<?> parameter, String code, String reason) {
        String name = parameter.getName();
        return isBody(parameter) ? null : new Problem.Invalid(List.of(new Fault(name, code, name + " " + reason)));
    }

    private static boolean isBody(Argument<?> parameter) {
        return parameter.getAnnotationMetadata().hasAnnotation(Body.class);
    }

    /** Names the path without its query, which may hold a signature. */
    private static String methodNotAllowed(HttpRequest<?> request, HttpResponse<?> response) {
        String allowed = String.join(", ", response.getHeaders().getAll(HttpHeaders.ALLOW));
        return request.getMethodName() + " is not allowed for " + request.getPath()
                + (allowed.isEmpty() ? "" : "; allowed are " + allowed);
    }

    private static String expectedFormat(Argument<?> parameter) {
        Class<?> type = parameter.getType();
        if (type.isEnum()) {
            return "must be one of "
                    + Stream.of(type.getEnumConstants()).map(String::valueOf).collect(Collectors.joining(", "));
        }
        return type == Instant.class
                ? "must be an ISO 8601 date or date-time with offset"
                : Number.class.isAssignableFrom(type) || type.isPrimitive()
                        ? "must be a whole number"
                        : "cannot be read";
    }

    /** Explains why a page of another origin is rejected; Micronaut returns only the status. */
    @ServerFilter("/**")
    @Order(Ordered.HIGHEST_PRECEDENCE) // plain-words: ok
    static final class CorsRejectionFilter {
        @ResponseFilter
        MutableHttpResponse<?> explain(HttpRequest<?> request, MutableHttpResponse<?> response) {
            return response.status() == HttpStatus.FORBIDDEN
                            && response.getBody().isEmpty()
                    ? toResponse(
                            request,
                            response,
                            new Problem.Forbidden(
                                    "this origin may not call the API from a browser; add it to gantry.cors-origins",
                                    null))
                    : response;
        }
    }

    @Singleton
    static final class ProblemExceptionHandler
            implements ExceptionHandler<ProblemException, HttpResponse<ProblemBody>> {
        @Override
        @SuppressWarnings("rawtypes") // required by the interface
        public HttpResponse<ProblemBody> handle(HttpRequest request, ProblemException refused) {
            return toResponse(request, refused.problem());
        }
    }
}
