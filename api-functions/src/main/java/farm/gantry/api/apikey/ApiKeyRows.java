package farm.gantry.api.apikey;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds API keys by id, with a cache, before their store is known. Uses plain JDBC, because every request reads a key.
 */
@Singleton
public final class ApiKeyRows {
    private static final int MAX_CACHED = 10_000;

    private final Database database;
    private final Map<String, CachedKey> cache = new ConcurrentHashMap<>();

    private record CachedKey(ApiKeyRow key, Instant readAt) {}

    ApiKeyRows(Database database) {
        this.database = database;
    }

    /** Reads the key and caches the result. */
    public Optional<ApiKeyRow> find(String id) {
        Optional<ApiKeyRow> found = database.query(
                "select *, \"storeId\" in (select farm.moved_stores()) moved from farm.key_by_id(?)",
                rows -> rows.next() ? Optional.of(row(rows)) : Optional.empty(),
                id);
        found.ifPresentOrElse(key -> cache(id, key), () -> cache.remove(id));
        return found;
    }

    /** Returns the cached key if it was read after the time; it may have changed since. */
    public Optional<ApiKeyRow> findCached(String id, Instant after) {
        return Optional.ofNullable(cache.get(id))
                .filter(each -> each.readAt().isAfter(after))
                .map(CachedKey::key);
    }

    private void cache(String id, ApiKeyRow key) {
        if (cache.size() >= MAX_CACHED) {
            cache.clear();
        }
        cache.put(id, new CachedKey(key, Instant.now()));
    }

    public void evictAll() {
        cache.clear();
    }

    private static ApiKeyRow row(ResultSet rows) throws SQLException {
        return new ApiKeyRow(
                rows.getString("storeId"),
                rows.getString("version"),
                rows.getString("salt"),
                rows.getString("hash"),
                rows.getBoolean("active"),
                rows.getBoolean("fullAccess"),
                rows.getString("permissions"),
                rows.getString("ipAllowlist"),
                rows.getObject("requestsPerMinute", Integer.class),
                Database.instant(rows, rows.findColumn("expiresAt")),
                Database.instant(rows, rows.findColumn("lastUsedAt")),
                rows.getBoolean("moved"));
    }

    /** Throws if the store of a key is moved to another installation. */
    public void checkServed(StoreId store) {
        database.checkServed(store.value());
    }

    /** Replaces the hash of a key with one made with a newer pepper. */
    public void replaceHash(StoreId store, String id, String before, String hash) {
        database.in(
                store,
                tx -> tx.update(
                        "update farm.\"apiKey\" set hash = ? where \"storeId\" = ? and id = ? and hash = ?",
                        hash,
                        store.value(),
                        id,
                        before));
    }

    public void markUsed(StoreId store, String id) {
        database.in(
                store,
                tx -> tx.update(
                        "update farm.\"apiKey\" set \"lastUsedAt\" = now() where \"storeId\" = ? and id = ?",
                        store.value(),
                        id));
    }
}
