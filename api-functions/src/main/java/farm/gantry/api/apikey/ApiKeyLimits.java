package farm.gantry.api.apikey;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.address.AddressRange;
import farm.gantry.api.json.RecordReader;
import farm.gantry.apikey.ApiKey;
import io.micronaut.json.tree.JsonNode;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Applies the limits of a calling key, its addresses, expiry and rate, to keys that it creates and changes. Otherwise a
 * limited key could create one without limits.
 */
final class ApiKeyLimits {
    private static final List<String> FIELDS = List.of("ipAllowlist", "expiresAt", "requestsPerMinute");

    private ApiKeyLimits() {}

    /** Returns the body of a new key with the caller's limits filled in where the body omits them. */
    static JsonNode withInheritedLimits(JsonNode body, ApiKey caller, RecordReader reader) {
        JsonNode inherited = body;
        JsonNode limits = reader.toTree(caller);
        for (String field : FIELDS) {
            JsonNode own = body.get(field);
            JsonNode limit = limits.get(field);
            if ((own == null || own.isNull()) && limit != null) {
                inherited = RecordReader.with(inherited, field, limit);
            }
        }
        return inherited;
    }

    /**
     * Checks a new key.
     *
     * @throws ProblemException naming the limit that is wider than the caller's
     */
    static void check(ApiKey caller, ApiKey key) {
        checkAddresses(caller, null, key);
        checkExpiry(caller, null, key);
        checkRate(caller, null, key);
    }

    /**
     * Checks a change of a key: limits may only be tightened or must stay within the caller's. A key that gains
     * permissions must have the caller's limits.
     */
    static void checkChange(ApiKey caller, ApiKey stored, ApiKey changed) {
        ApiKey former = gainsRights(stored, changed) ? null : stored;
        checkAddresses(caller, former, changed);
        checkExpiry(caller, former, changed);
        checkRate(caller, former, changed);
    }

    private static boolean gainsRights(ApiKey stored, ApiKey changed) {
        return (changed.active() && !stored.active())
                || (changed.fullAccess() && !stored.fullAccess())
                || !new HashSet<>(stored.permissions()).containsAll(changed.permissions());
    }

    private static void checkAddresses(ApiKey caller, @Nullable ApiKey former, ApiKey key) {
        List<String> limit = caller.ipAllowlist();
        if (!areWithin(key.ipAllowlist(), limit)
                && (former == null || !areWithin(key.ipAllowlist(), former.ipAllowlist()))) {
            throw widerThanCaller("ipAllowlist", String.join(", ", Objects.requireNonNull(limit)));
        }
    }

    private static boolean areWithin(@Nullable List<String> ranges, @Nullable List<String> limit) {
        if (ranges == null || limit == null) {
            return limit == null;
        }
        List<AddressRange> allowed = parsed(limit);
        return ranges.stream()
                .allMatch(range -> AddressRange.parse(range)
                        .filter(part -> allowed.stream().anyMatch(each -> each.contains(part)))
                        .isPresent());
    }

    private static List<AddressRange> parsed(List<String> ranges) {
        return ranges.stream()
                .flatMap(range -> AddressRange.parse(range).stream())
                .toList();
    }

    private static void checkExpiry(ApiKey caller, @Nullable ApiKey former, ApiKey key) {
        if (!endsWithin(key.expiresAt(), caller.expiresAt())
                && (former == null || !endsWithin(key.expiresAt(), former.expiresAt()))) {
            throw widerThanCaller("expiresAt", String.valueOf(caller.expiresAt()));
        }
    }

    private static boolean endsWithin(@Nullable Instant end, @Nullable Instant limit) {
        return limit == null || (end != null && !end.isAfter(limit));
    }

    private static void checkRate(ApiKey caller, @Nullable ApiKey former, ApiKey key) {
        if (!isWithin(key.requestsPerMinute(), caller.requestsPerMinute())
                && (former == null || !isWithin(key.requestsPerMinute(), former.requestsPerMinute()))) {
            throw widerThanCaller("requestsPerMinute", String.valueOf(caller.requestsPerMinute()));
        }
    }

    private static boolean isWithin(@Nullable Integer rate, @Nullable Integer limit) {
        return limit == null || (rate != null && rate <= limit);
    }

    private static ProblemException widerThanCaller(String field, String limit) {
        return new ProblemException(new Problem.Forbidden(
                field + " must stay within that of the calling key: " + limit + "; use a key without this limit",
                null));
    }
}
