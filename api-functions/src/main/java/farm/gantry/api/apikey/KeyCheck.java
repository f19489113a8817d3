package farm.gantry.api.apikey;

import farm.gantry.Permission;
import farm.gantry.StoreId;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.AddressRange;
import farm.gantry.api.http.Proxies;
import farm.gantry.api.http.RequestIds;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.CallerBinder;
import farm.gantry.api.store.KeyRow;
import farm.gantry.api.store.KeyRows;
import farm.gantry.apikey.KeyText;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.json.JsonMapper;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.web.router.MethodBasedRouteInfo;
import io.micronaut.web.router.RouteAttributes;
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

/**
 * Checks the key of every request to a route that takes one. A key that opened something before is taken as
 * it was then, and looked at again by the statement that enters its store, which saves a round trip; what it was then
 * never refuses a request.
 */
@ServerFilter("/**")
@Order(0)
final class KeyCheck {
    private static final String SCHEME = "apikey ";
    private static final String STORE_HEADER = "x-store-id";
    private static final Duration USE_NOTED_EVERY = Duration.ofMinutes(1);

    private final KeyRows keys;
    private final Pepper pepper;
    private final JsonMapper mapper;
    private final Proxies proxies;
    private final RoutePermissions routes;
    private final KeyRateLimit rateLimit;

    KeyCheck(
            KeyRows keys,
            Pepper pepper,
            JsonMapper mapper,
            Proxies proxies,
            RoutePermissions routes,
            KeyRateLimit rateLimit) {
        this.keys = keys;
        this.pepper = pepper;
        this.mapper = mapper;
        this.proxies = proxies;
        this.routes = routes;
        this.rateLimit = rateLimit;
    }

    @RequestFilter
    @ExecuteOn(TaskExecutors.BLOCKING)
    void check(HttpRequest<?> request) {
        if (RouteAttributes.getRouteInfo(request).orElse(null) instanceof MethodBasedRouteInfo<?, ?> route) {
            routes.of(route.getTargetMethod().getExecutableMethod()).ifPresent(needed -> {
                Caller caller = caller(request, needed);
                CallerBinder.bind(request, caller);
                RequestIds.logStore(request, caller.unverifiedStore());
            });
        }
    }

    private Caller caller(HttpRequest<?> request, List<Permission> needed) {
        KeyText key = Optional.ofNullable(request.getHeaders().get("authorization"))
                .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(SCHEME))
                .flatMap(header ->
                        KeyText.parse(header.substring(SCHEME.length()).strip()))
                .orElseThrow(KeyCheck::unauthorized);
        return remembered(key, request, needed).orElseGet(() -> read(key, request, needed));
    }

    private Optional<Caller> remembered(KeyText key, HttpRequest<?> request, List<Permission> needed) {
        try {
            return keys.cached(key.id(), Instant.now().minus(USE_NOTED_EVERY))
                    .map(row -> admitted(key, row, request, needed).cachedAt(row.version()));
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.RateLimited) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private Caller read(KeyText key, HttpRequest<?> request, List<Permission> needed) {
        keys.evict(key.id());
        KeyRow row = keys.find(key.id()).orElseThrow(KeyCheck::unauthorized);
        Caller caller = admitted(key, row, request, needed);
        if (row.lastUsedAt() == null || row.lastUsedAt().isBefore(Instant.now().minus(USE_NOTED_EVERY))) {
            keys.markUsed(caller.store(), key.id());
        }
        if (pepper.isOld(row.hash())) {
            keys.hashAgain(caller.store(), key.id(), row.hash(), pepper.hash(key, row.salt()));
        }
        keys.cache(key.id(), row);
        return caller;
    }

    private Caller admitted(KeyText key, KeyRow row, HttpRequest<?> request, List<Permission> needed) {
        boolean isExpired = row.expiresAt() != null && !row.expiresAt().isAfter(Instant.now());
        if (!pepper.matches(key, row.salt(), row.hash()) || !row.active() || isExpired) {
            throw unauthorized();
        }
        rateLimit.check(request, key.id(), row.requestsPerMinute());
        StoreId store = new StoreId(row.storeId());
        checkAddress(row, request);
        checkStore(store, request);
        Set<Permission> permissions = row.fullAccess() ? Set.of() : permissions(row);
        Caller caller = new Caller(
                store, key.id(), row.fullAccess(), permissions, origin(request), () -> read(key, request, needed));
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
        boolean allowed = address != null
                && texts(row.ipAllowlist()).stream()
                        .flatMap(range -> AddressRange.parse(range).stream())
                        .anyMatch(range -> range.contains(address));
        if (!allowed) {
            throw new ProblemException(new Problem.Forbidden("the key may not be used from this address", null));
        }
    }

    private static void checkStore(StoreId store, HttpRequest<?> request) {
        String named = request.getHeaders().get(STORE_HEADER);
        if (named != null && !named.equals(store.value())) {
            throw new ProblemException(
                    new Problem.Forbidden("the key belongs to another store than " + STORE_HEADER, null));
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
        return new ProblemException(new Problem.Unauthorized());
    }
}
