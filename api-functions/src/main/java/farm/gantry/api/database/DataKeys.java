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

/** The versions of the key that seals secrets, kept wrapped by the master key. None is ever deleted. */
@Singleton
public final class DataKeys {
    /** How long a process may go on sealing with a version after another made a newer one. */
    private static final Duration REFRESH = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(DataKeys.class);

    private final Database database;
    private final MasterKey master;
    private final AtomicReference<NavigableMap<Integer, AesGcm>> versions;
    private final AtomicLong readAt = new AtomicLong(System.nanoTime());

    /** A version and its cipher. */
    record Version(int number, AesGcm cipher) {}

    DataKeys(Database database, MasterKey master) {
        this.database = database;
        this.master = master;
        NavigableMap<Integer, AesGcm> kept = read();
        if (kept.isEmpty() || kept.lastKey() == 1) {
            database.run(
                    "insert into farm.\"dataKey\" (version, wrapped) values (2, ?) on conflict do nothing",
                    master.wrap(AesGcm.randomKey()));
            kept = read();
        }
        this.versions = new AtomicReference<>(kept);
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
                        "gantry.secret-key (GANTRY_SECRET_KEY) is not the key that the secrets of this database are sealed"
                                + " with: set the one that the first process of this install was given",
                        e);
            }
        }
        return found;
    }

    /** The version to seal with; one thread looks for a newer one, so that none waits while it holds a connection. */
    Version newest() {
        long last = readAt.get();
        long now = System.nanoTime();
        if (now - last > REFRESH.toNanos() && readAt.compareAndSet(last, now)) {
            try {
                versions.set(read());
            } catch (DatabaseException e) {
                LOG.warn("secrets are sealed with the version known so far: {}", e.getMessage());
            }
        }
        NavigableMap<Integer, AesGcm> known = known();
        return new Version(known.lastKey(), known.lastEntry().getValue());
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

    /** Makes a new version, which every process seals with soon; returns its number. */
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

    /** Waits until every process knows the newest version. */
    void awaitRefreshed() {
        database.run(
                "select pg_sleep(greatest(0, extract(epoch from max(\"createdAt\") - now()) + ?)) from farm.\"dataKey\"",
                REFRESH.toSeconds() + 1);
        versions.set(read());
    }
}
