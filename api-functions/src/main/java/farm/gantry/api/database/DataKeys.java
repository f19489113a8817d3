package farm.gantry.api.database;

import jakarta.inject.Singleton;
import java.security.GeneralSecurityException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Versions of the data key that encrypts secrets, stored wrapped by the master key. None is ever deleted. */
@Singleton
public final class DataKeys {
    /** Maximum time for which a process keeps using an older version after another process created a newer one. */
    private static final Duration REFRESH = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(DataKeys.class);

    private final Database database;
    private final MasterKey master;
    private final AtomicReference<NavigableMap<Integer, AesGcm>> versions;
    private final AtomicLong readAt = new AtomicLong(System.nanoTime());

    record DataKeyVersion(int number, AesGcm cipher) {}

    DataKeys(Database database, MasterKey master) {
        this.database = database;
        this.master = master;
        NavigableMap<Integer, AesGcm> stored = read();
        if (stored.isEmpty() || stored.lastKey() == 1) {
            database.run(
                    "insert into farm.\"dataKey\" (version, wrapped) values (2, ?) on conflict do nothing",
                    master.wrap(AesGcm.randomKey()));
            stored = read();
        }
        this.versions = new AtomicReference<>(stored);
    }

    private NavigableMap<Integer, AesGcm> read() {
        return database.query("select version, wrapped from farm.\"dataKey\"", this::unwrapped);
    }

    private NavigableMap<Integer, AesGcm> unwrapped(ResultSet rows) throws SQLException {
        TreeMap<Integer, AesGcm> found = new TreeMap<>();
        master.firstVersion().ifPresent(first -> found.put(1, first));
        while (rows.next()) {
            try {
                found.put(rows.getInt(1), new AesGcm(master.unwrap(rows.getString(2))));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(
                        "gantry.secret-key (GANTRY_SECRET_KEY) is not the key with which the secrets of this database are encrypted"
                                + ": set the key that this installation was first started with",
                        e);
            }
        }
        return found;
    }

    /**
     * Returns the version to encrypt with. Only one thread refreshes it, so that none waits while it holds a
     * connection.
     */
    DataKeyVersion newest() {
        long last = readAt.get();
        long now = System.nanoTime();
        if (now - last > REFRESH.toNanos() && readAt.compareAndSet(last, now)) {
            try {
                versions.set(read());
            } catch (DatabaseException e) {
                LOG.warn("cannot check for a newer data key; using the last known version: {}", e.getMessage());
            }
        }
        NavigableMap<Integer, AesGcm> known = known();
        return new DataKeyVersion(known.lastKey(), known.lastEntry().getValue());
    }

    Optional<AesGcm> find(int version) {
        if (!known().containsKey(version)) {
            versions.set(read());
        }
        return Optional.ofNullable(known().get(version));
    }

    private NavigableMap<Integer, AesGcm> known() {
        return Objects.requireNonNull(versions.get());
    }

    /** Creates a new version, which every process uses within {@link #REFRESH}; returns its number. */
    public int rotate() {
        int made = database.query(
                """
                insert into farm."dataKey" (version, wrapped)
                select max(version) + 1, ? from farm."dataKey" returning version""",
                rows -> {
                    rows.next();
                    return rows.getInt(1);
                },
                master.wrap(AesGcm.randomKey()));
        versions.set(read());
        return made;
    }

    /** Waits until every process uses the newest version. */
    void awaitRefreshed() {
        database.run(
                "select pg_sleep(greatest(0, extract(epoch from max(\"createdAt\") - now()) + ?)) from farm.\"dataKey\"",
                REFRESH.toSeconds() + 1);
        versions.set(read());
    }
}
