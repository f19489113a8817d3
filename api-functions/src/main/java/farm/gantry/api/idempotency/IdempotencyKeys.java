package farm.gantry.api.idempotency;

import farm.gantry.api.apikey.Pepper;
import farm.gantry.api.database.IdempotencyRecords;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.RequestBodies;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.CallerBinder;
import farm.gantry.api.security.IdempotencyClaim;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.json.JsonMapper;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes a POST once per {@code Idempotency-Key}: claims the key before the route runs, and stores the response.
 * {@code Database} marks the work in its own transaction.
 */
@ServerFilter("/**")
@Order(Ordered.LOWEST_PRECEDENCE) // plain-words: ok
public final class IdempotencyKeys {
    private static final String HEADER = "Idempotency-Key";
    private static final String REPLAYED = "Idempotency-Replayed";
    private static final Pattern VALID = Pattern.compile("[\\x20-\\x7e]{1,255}");
    private static final Logger LOG = LoggerFactory.getLogger(IdempotencyKeys.class);

    private static final String ALGORITHM = "HmacSHA256";

    private final IdempotencyRecords records;
    /** The oldest pepper, which stays the same across rotations, and the others, with which other installations may have hashed. */
    private final List<SecretKeySpec> peppers;

    private final JsonMapper mapper;

    IdempotencyKeys(IdempotencyRecords records, Pepper pepper, JsonMapper mapper) {
        this.records = records;
        this.peppers = pepper.allVersions().stream()
                .map(version -> new SecretKeySpec(version.getBytes(StandardCharsets.UTF_8), ALGORITHM))
                .toList();
        this.mapper = mapper;
    }

    @RequestFilter
    @ExecuteOn(TaskExecutors.BLOCKING)
    @Nullable
    HttpResponse<?> claim(HttpRequest<?> request) {
        List<String> keys = request.getHeaders().getAll(HEADER);
        Caller caller = CallerBinder.of(request).orElse(null);
        if (keys.isEmpty() || caller == null || request.getMethod() != HttpMethod.POST) {
            return null;
        }
        if (keys.size() > 1 || !VALID.matcher(keys.getFirst()).matches()) {
            throw new ProblemException(
                    new Problem.BadRequest(HEADER + " must be sent once and have 1 to 255 visible ASCII characters"));
        }
        String query = Optional.ofNullable(request.getUri().getRawQuery()).orElse("");
        IdempotencyRecords.Outcome.ResponseStored stored = claim(
                caller,
                List.of(caller.keyId(), request.getPath(), keys.getFirst()),
                List.of(query),
                RequestBodies.copy(request));
        return stored == null ? null : replay(stored.status(), stored.json());
    }

    /** Returns the stored response; null if the caller now has the claim. */
    private IdempotencyRecords.Outcome.@Nullable ResponseStored claim(
            Caller caller, List<String> key, List<String> texts, byte[] content) {
        List<IdempotencyRecords.HashedKey> hashes = peppers.stream()
                .map(pepper ->
                        new IdempotencyRecords.HashedKey(hash(pepper, key, new byte[0]), hash(pepper, texts, content)))
                .toList();
        return switch (records.claim(caller.store(), hashes)) {
            case IdempotencyRecords.Outcome.Claimed(IdempotencyClaim claim) -> {
                caller.claim(claim);
                yield null;
            }
            case IdempotencyRecords.Outcome.ResponseStored stored -> stored;
            case IdempotencyRecords.Outcome.KeyReused() ->
                throw new ProblemException(new Problem.IdempotencyKeyReused());
            case IdempotencyRecords.Outcome.InProgress() ->
                throw new ProblemException(new Problem.IdempotencyInProgress());
            case IdempotencyRecords.Outcome.ResponseLost() ->
                throw new ProblemException(new Problem.IdempotencyResponseLost());
        };
    }

    /**
     * Runs work of the caller once per key, and returns its JSON, or that of the first call.
     *
     * @param caller caller without a claim of its own
     * @param scope name of the work; each has keys of its own
     * @param content what must be the same in every call with the key
     */
    public String runOnce(Caller caller, String scope, String key, byte[] content, Supplier<String> work) {
        IdempotencyRecords.Outcome.ResponseStored stored =
                claim(caller, List.of(caller.keyId(), scope, key), List.of(), content);
        if (stored != null) {
            return stored.json();
        }
        IdempotencyClaim claim = caller.claim().orElseThrow();
        try {
            String json = work.get();
            records.storeResponse(caller.unverifiedStore(), claim, HttpStatus.OK.getCode(), json);
            return json;
        } catch (RuntimeException e) {
            records.release(caller.unverifiedStore(), claim);
            throw e;
        }
    }

    private static HttpResponse<?> replay(int status, String json) {
        return HttpResponse.status(HttpStatus.valueOf(status))
                .body(RawJson.of(json))
                .contentType(MediaType.APPLICATION_JSON_TYPE)
                .header(REPLAYED, "true");
    }

    /** Includes the pepper, because a body may contain secrets that could be guessed. */
    private static String hash(SecretKeySpec pepper, List<String> texts, byte[] bytes) {
        try {
            Mac mac = Mac.getInstance(pepper.getAlgorithm());
            mac.init(pepper);
            for (String text : texts) {
                mac.update(text.getBytes(StandardCharsets.UTF_8));
                mac.update((byte) '\n');
            }
            return HexFormat.of().formatHex(mac.doFinal(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @ResponseFilter
    @ExecuteOn(TaskExecutors.BLOCKING)
    void storeResponse(HttpRequest<?> request, MutableHttpResponse<?> response) {
        CallerBinder.of(request)
                .ifPresent(caller -> caller.claim().ifPresent(claim -> storeResponse(caller, claim, response)));
    }

    private void storeResponse(Caller caller, IdempotencyClaim claim, HttpResponse<?> response) {
        try {
            if (response.code() >= 500) {
                records.release(caller.unverifiedStore(), claim);
            } else {
                records.storeResponse(caller.unverifiedStore(), claim, response.code(), json(response.body()));
            }
        } catch (RuntimeException e) {
            LOG.warn("cannot store the response of a request with {}; a repeated request will not get it", HEADER, e);
        }
    }

    private String json(@Nullable Object body) {
        try {
            return body instanceof RawJson<?> json ? json.text() : mapper.writeValueAsString(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
