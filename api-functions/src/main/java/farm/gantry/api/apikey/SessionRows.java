package farm.gantry.api.apikey;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/** Statements on sessions and sign-in codes before their store is known, and session state beside the record. */
@Singleton
public final class SessionRows {
    private final Database database;

    SessionRows(Database database) {
        this.database = database;
    }

    public Optional<SessionRow> find(String id) {
        return database.query(
                "select * from farm.session_by_id(?)",
                rows -> {
                    if (!rows.next() || rows.getString("hash") == null) {
                        return Optional.empty();
                    }
                    return Optional.of(new SessionRow(
                            rows.getString("id"),
                            rows.getString("storeId"),
                            rows.getString("keyId"),
                            rows.getString("name"),
                            rows.getString("salt"),
                            rows.getString("hash"),
                            Database.instant(rows, rows.findColumn("lastUsedAt"))));
                },
                id);
    }

    public void markUsed(StoreId store, String id) {
        database.in(
                store,
                tx -> tx.update(
                        "update farm.session set \"lastUsedAt\" = now() where \"storeId\" = ? and id = ?",
                        store.value(),
                        id));
    }

    public void addCode(Tx tx, String code, String keyId, Duration life) {
        tx.update("""
                insert into farm."signInCode" ("storeId", code, "keyId", "expiresAt")
                values (?, ?, ?, now() + ? * interval '1 second')""", tx.store().value(), code, keyId, Math.toIntExact(life.toSeconds()));
    }

    /** Returns the key that a code signs in with. */
    public Optional<String> findKeyOfCode(String code) {
        return database.texts("select farm.key_of_sign_in_code(?)", code).stream()
                .flatMap(key -> Optional.ofNullable(key).stream())
                .findFirst();
    }

    /** Deletes the code; returns true for exactly one caller. */
    public boolean consumeCode(Tx tx, String code) {
        return tx.update(
                        "delete from farm.\"signInCode\" where \"storeId\" = ? and code = ? and \"expiresAt\" > now()",
                        tx.store().value(),
                        code)
                == 1;
    }

    /** Deletes the store's expired sessions and codes; without a key, so that the audit log does not record it. */
    public void deleteExpired(StoreId store) {
        database.in(store, tx -> {
            tx.update("delete from farm.session where \"storeId\" = ? and \"expiresAt\" < now()", store.value());
            return tx.update(
                    "delete from farm.\"signInCode\" where \"storeId\" = ? and \"expiresAt\" < now()", store.value());
        });
    }
}
