package farm.gantry.api.apikey;

import farm.gantry.Permission;
import farm.gantry.StoreId;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.RequestIds;
import farm.gantry.api.http.address.AddressRange;
import farm.gantry.api.http.address.TrustedProxies;
import farm.gantry.api.security.Caller;
import farm.gantry.apikey.SecretToken;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates requests by the API key of the authorization header or else by the session. A recently used key is
 * taken from the cache and verified by the statement that enters its store, which saves a round trip; a cached value
 * never rejects a request.
 */
@Singleton
final class Authentication {
    private static final String HEADER = "authorization";
    private static final String SCHEME = "apikey";
    /** Slicers and assistants send the key in this header. */
    private static final String KEY_HEADER = "x-api-key";

    private static final String PRINT_HOSTS = "/print-hosts/";
    private static final String ASSISTANTS = "/mcp";
    /** Scheme that many assistants always send. */
    private static final String BEARER_SCHEME = "bearer";

    private static final String STORE_HEADER = "x-store-id";
    private static final Duration USE_NOTE_INTERVAL = Duration.ofMinutes(1);

    private final ApiKeyRows keys;
    private final SessionRows sessions;
    private final SessionCookie cookie;
    private final Pepper pepper;
    private final JsonMapper mapper;
    private final TrustedProxies proxies;
    private final ApiKeyRateLimit rateLimit;

    Authentication(
            ApiKeyRows keys,
            SessionRows sessions,
            SessionCookie cookie,
            Pepper pepper,
            JsonMapper mapper,
            TrustedProxies proxies,
            ApiKeyRateLimit rateLimit) {
        this.keys = keys;
        this.sessions = sessions;
        this.cookie = cookie;
        this.pepper = pepper;
        this.mapper = mapper;
        this.proxies = proxies;
        this.rateLimit = rateLimit;
    }

    /**
     * A key id with its proof.
     *
     * @param key text of the key; null for a session or a code
     * @param sessionName name of the session, if any
     */
    private record Credential(String keyId, @Nullable SecretToken key, String sessionName) {}

    Caller authenticate(HttpRequest<?> request, List<Permission> needed) {
        Credential credential = readCredential(request);
        return findCached(credential, request, needed).orElseGet(() -> readAndVerify(credential, request, needed));
    }

    /**
     * Authenticates work of this process under a key, without a request. A key with an {@code ipAllowlist} is rejected.
     *
     * @param origin name of the work in the audit log
     */
    Caller authenticateWork(String text, String origin) {
        SecretToken key = SecretToken.parse(text.strip()).orElseThrow(Authentication::unauthorized);
        ApiKeyRow row = keys.find(key.id()).orElseThrow(Authentication::unauthorized);
        checkUsable(row, key);
        if (row.ipAllowlist() != null) {
            throw new ProblemException(new Problem.Forbidden("the key has an ipAllowlist; use one without", null));
        }
        StoreId store = new StoreId(row.storeId());
        if (isUseNoteDue(row.lastUsedAt())) {
            keys.markUsed(store, key.id());
        }
        return new Caller(
                store,
                key.id(),
                row.fullAccess(),
                row.fullAccess() ? Set.of() : permissions(row),
                " " + origin,
                () -> authenticateWork(text, origin));
    }

    /** Authenticates a sign-in by key, by default that of the request's header. */
    Caller authenticateByKey(HttpRequest<?> request, @Nullable String shown, String sessionName) {
        SecretToken key = shown == null
                ? SecretToken.parseHeader(request.getHeaders().get(HEADER), SCHEME)
                        .orElseThrow(Authentication::unauthorized)
                : SecretToken.parse(shown.strip()).orElseThrow(Authentication::unauthorized);
        return readAndVerify(new Credential(key.id(), key, sessionName), request, List.of());
    }

    /** Authenticates a sign-in by a code of the key. */
    Caller authenticateByCode(HttpRequest<?> request, String keyId, String sessionName) {
        return readAndVerify(new Credential(keyId, null, sessionName), request, List.of());
    }

    /** Returns the session of the request. */
    Optional<SessionRow> findSession(HttpRequest<?> request) {
        return request.getHeaders().contains(HEADER)
                ? Optional.empty()
                : cookie.readToken(request)
                        .flatMap(token ->
                                sessions.find(token.id()).filter(row -> pepper.matches(token, row.salt(), row.hash())));
    }

    private Credential readCredential(HttpRequest<?> request) {
        if (request.getHeaders().contains(HEADER)) {
            String sent = request.getHeaders().get(HEADER);
            SecretToken key = SecretToken.parseHeader(sent, SCHEME)
                    .or(() -> request.getPath().equals(ASSISTANTS)
                            ? SecretToken.parseHeader(sent, BEARER_SCHEME)
                            : Optional.empty())
                    .orElseThrow(Authentication::unauthorized);
            return new Credential(key.id(), key, "");
        }
        String sent = request.getHeaders().get(KEY_HEADER);
        if (sent != null
                && (request.getPath().startsWith(PRINT_HOSTS)
                        || request.getPath().equals(ASSISTANTS))) {
            SecretToken key = SecretToken.parse(sent.strip()).orElseThrow(Authentication::unauthorized);
            return new Credential(key.id(), key, "");
        }
        SessionRow session = findSession(request).orElseThrow(Authentication::unauthorized);
        if (isUseNoteDue(session.lastUsedAt())) {
            sessions.markUsed(new StoreId(session.storeId()), session.id());
        }
        return new Credential(session.keyId(), null, session.name());
    }

    private static boolean isUseNoteDue(@Nullable Instant noted) {
        return noted == null || noted.isBefore(Instant.now().minus(USE_NOTE_INTERVAL));
    }

    private Optional<Caller> findCached(Credential credential, HttpRequest<?> request, List<Permission> needed) {
        try {
            return keys.findCached(credential.keyId(), Instant.now().minus(USE_NOTE_INTERVAL))
                    .map(row -> authorize(credential, row, request, needed).withCachedVersion(row.version()));
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.RateLimited) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private Caller readAndVerify(Credential credential, HttpRequest<?> request, List<Permission> needed) {
        String id = credential.keyId();
        ApiKeyRow row = keys.find(id).orElseThrow(Authentication::unauthorized);
        Caller caller = authorize(credential, row, request, needed);
        if (row.isStoreMoved()) {
            keys.checkServed(caller.store());
        }
        if (isUseNoteDue(row.lastUsedAt())) {
            keys.markUsed(caller.store(), id);
        }
        if (credential.key() != null && pepper.isOutdated(row.hash())) {
            keys.replaceHash(caller.store(), id, row.hash(), pepper.hash(credential.key(), row.salt()));
        }
        return caller;
    }

    private Caller authorize(Credential credential, ApiKeyRow row, HttpRequest<?> request, List<Permission> needed) {
        checkUsable(row, credential.key());
        rateLimit.check(request, credential.keyId(), row.requestsPerMinute());
        StoreId store = new StoreId(row.storeId());
        checkAddress(row, request);
        checkStore(store, request);
        Set<Permission> permissions = row.fullAccess() ? Set.of() : permissions(row);
        Caller caller = new Caller(
                store,
                credential.keyId(),
                row.fullAccess(),
                permissions,
                origin(request) + " " + credential.sessionName(),
                () -> readAndVerify(readCredential(request), request, needed));
        needed.forEach(caller::requirePermission);
        return isLatestRequired(request) ? caller.withLatest() : caller;
    }

    /** Whether a client asks for an answer that contains all changes, such as one that was just told of a change. */
    private static boolean isLatestRequired(HttpRequest<?> request) {
        String control = request.getHeaders().get("cache-control");
        return control != null && control.toLowerCase(Locale.ROOT).contains("no-cache");
    }

    private void checkUsable(ApiKeyRow row, @Nullable SecretToken key) {
        boolean isShown = key == null || pepper.matches(key, row.salt(), row.hash());
        boolean isExpired = row.expiresAt() != null && !row.expiresAt().isAfter(Instant.now());
        if (!isShown || !row.active() || isExpired) {
            throw unauthorized();
        }
    }

    private String origin(HttpRequest<?> request) {
        InetAddress address = proxies.callerAddress(request);
        return (address == null ? "" : address.getHostAddress()) + " " + RequestIds.of(request);
    }

    private Set<Permission> permissions(ApiKeyRow row) {
        return texts(row.permissions()).stream()
                .flatMap(name -> Permission.parse(name).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    private void checkAddress(ApiKeyRow row, HttpRequest<?> request) {
        if (row.ipAllowlist() == null) {
            return;
        }
        InetAddress address = proxies.callerAddress(request);
        if (address == null || !AddressRange.isIn(texts(row.ipAllowlist()), address)) {
            throw new ProblemException(
                    new Problem.Forbidden("the key is not allowed from this address; see its ipAllowlist", null));
        }
    }

    private static void checkStore(StoreId store, HttpRequest<?> request) {
        String named = request.getHeaders().get(STORE_HEADER);
        if (named != null && !named.equals(store.value())) {
            throw new ProblemException(
                    new Problem.Forbidden("the key belongs to a different store than " + STORE_HEADER, null));
        }
    }

    private List<String> texts(String json) {
        try {
            String[] texts = mapper.readValue(json, Argument.of(String[].class));
            return texts == null ? List.of() : Arrays.asList(texts);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ProblemException unauthorized() {
        return new ProblemException(new Problem.Unauthorized(Problem.Scheme.ApiKey));
    }
}
