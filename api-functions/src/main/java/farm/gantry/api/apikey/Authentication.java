package farm.gantry.api.apikey;

import farm.gantry.Permission;
import farm.gantry.StoreId;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.AddressRange;
import farm.gantry.api.http.Proxies;
import farm.gantry.api.http.RequestIds;
import farm.gantry.api.security.Caller;
import farm.gantry.apikey.KeyText;
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
    private static final String SCHEME = "apikey ";
    /** Slicers send the key of a print host in this header. */
    private static final String PRINT_HOST_HEADER = "x-api-key";

    private static final String PRINT_HOSTS = "/print-hosts/";
    private static final String STORE_HEADER = "x-store-id";
    private static final Duration USE_NOTED_EVERY = Duration.ofMinutes(1);

    private final KeyRows keys;
    private final SessionRows sessions;
    private final SessionCookie cookie;
    private final Pepper pepper;
    private final JsonMapper mapper;
    private final Proxies proxies;
    private final KeyRateLimit rateLimit;

    Authentication(
            KeyRows keys,
            SessionRows sessions,
            SessionCookie cookie,
            Pepper pepper,
            JsonMapper mapper,
            Proxies proxies,
            KeyRateLimit rateLimit) {
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
    private record Credential(String keyId, @Nullable KeyText key, String sessionName) {}

    Caller caller(HttpRequest<?> request, List<Permission> needed) {
        Credential credential = credential(request);
        return remembered(credential, request, needed).orElseGet(() -> read(credential, request, needed));
    }

    /** Authenticates a sign-in by key, by default that of the request's header. */
    Caller signsInByKey(HttpRequest<?> request, @Nullable String shown, String sessionName) {
        KeyText key = shown == null
                ? key(request.getHeaders().get(HEADER))
                : KeyText.parse(shown.strip()).orElseThrow(Authentication::unauthorized);
        return read(new Credential(key.id(), key, sessionName), request, List.of());
    }

    /** Authenticates a sign-in by a code of the key. */
    Caller signsInByCode(HttpRequest<?> request, String keyId, String sessionName) {
        return read(new Credential(keyId, null, sessionName), request, List.of());
    }

    /** Returns the session of the request. */
    Optional<SessionRow> session(HttpRequest<?> request) {
        return request.getHeaders().contains(HEADER)
                ? Optional.empty()
                : cookie.token(request)
                        .flatMap(token ->
                                sessions.find(token.id()).filter(row -> pepper.matches(token, row.salt(), row.hash())));
    }

    private Credential credential(HttpRequest<?> request) {
        if (request.getHeaders().contains(HEADER)) {
            KeyText key = key(request.getHeaders().get(HEADER));
            return new Credential(key.id(), key, "");
        }
        String ofPrintHost = request.getHeaders().get(PRINT_HOST_HEADER);
        if (ofPrintHost != null && request.getPath().startsWith(PRINT_HOSTS)) {
            KeyText key = KeyText.parse(ofPrintHost.strip()).orElseThrow(Authentication::unauthorized);
            return new Credential(key.id(), key, "");
        }
        SessionRow session = session(request).orElseThrow(Authentication::unauthorized);
        if (isDue(session.lastUsedAt())) {
            sessions.markUsed(new StoreId(session.storeId()), session.id());
        }
        return new Credential(session.keyId(), null, session.name());
    }

    private static KeyText key(@Nullable String authorization) {
        return Optional.ofNullable(authorization)
                .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(SCHEME))
                .flatMap(header ->
                        KeyText.parse(header.substring(SCHEME.length()).strip()))
                .orElseThrow(Authentication::unauthorized);
    }

    private static boolean isDue(@Nullable Instant noted) {
        return noted == null || noted.isBefore(Instant.now().minus(USE_NOTED_EVERY));
    }

    private Optional<Caller> remembered(Credential credential, HttpRequest<?> request, List<Permission> needed) {
        try {
            return keys.cached(credential.keyId(), Instant.now().minus(USE_NOTED_EVERY))
                    .map(row -> admitted(credential, row, request, needed).cachedAt(row.version()));
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.RateLimited) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private Caller read(Credential credential, HttpRequest<?> request, List<Permission> needed) {
        String id = credential.keyId();
        KeyRow row = keys.find(id).orElseThrow(Authentication::unauthorized);
        Caller caller = admitted(credential, row, request, needed);
        if (isDue(row.lastUsedAt())) {
            keys.markUsed(caller.store(), id);
        }
        if (credential.key() != null && pepper.isOld(row.hash())) {
            keys.hashAgain(caller.store(), id, row.hash(), pepper.hash(credential.key(), row.salt()));
        }
        return caller;
    }

    private Caller admitted(Credential credential, KeyRow row, HttpRequest<?> request, List<Permission> needed) {
        KeyText key = credential.key();
        boolean isShown = key == null || pepper.matches(key, row.salt(), row.hash());
        boolean isExpired = row.expiresAt() != null && !row.expiresAt().isAfter(Instant.now());
        if (!isShown || !row.active() || isExpired) {
            throw unauthorized();
        }
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
                () -> read(credential(request), request, needed));
        needed.forEach(caller::requirePermission);
        return caller;
    }

    private String origin(HttpRequest<?> request) {
        InetAddress address = proxies.caller(request);
        return (address == null ? "" : address.getHostAddress()) + " " + RequestIds.of(request);
    }

    private Set<Permission> permissions(KeyRow row) {
        return texts(row.permissions()).stream()
                .flatMap(name -> Permission.of(name).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    private void checkAddress(KeyRow row, HttpRequest<?> request) {
        if (row.ipAllowlist() == null) {
            return;
        }
        InetAddress address = proxies.caller(request);
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
