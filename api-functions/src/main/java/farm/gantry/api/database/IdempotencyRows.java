package farm.gantry.api.database;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.security.IdempotencyClaim;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Stores idempotency keys in PostgreSQL. Each claim deletes the expired keys of the store. */
@Singleton
final class IdempotencyRows implements IdempotencyRecords {
    private final Database database;
    private final Secrets secrets;
    private final Duration lease;
    private final Duration retention;

    IdempotencyRows(
            Database database,
            Secrets secrets,
            @Value("${gantry.idempotency.lease-duration}") Duration lease,
            @Value("${gantry.idempotency.retention}") Duration retention) {
        this.database = database;
        this.secrets = secrets;
        this.lease = lease;
        this.retention = retention;
    }

    @Override
    public Outcome claim(StoreId store, List<HashedKey> hashes) {
        String token = Id.random(24);
        return database.in(store, tx -> {
            HashedKey hashed = findStored(tx, hashes).orElse(hashes.getFirst());
            IdempotencyClaim claim = new IdempotencyClaim(hashed.id(), token);
            Optional<Outcome> found = Optional.empty();
            while (found.isEmpty()) {
                found = insert(tx, claim, hashed.request())
                        ? Optional.of(new Outcome.Claimed(claim))
                        : find(tx, hashed.id(), hashed.request());
            }
            tx.update("""
                    delete from farm."idempotencyKey" where "storeId" = ? and id = any(array(
                      select id from farm."idempotencyKey" where "storeId" = ? and "expiresAt" <= now()
                      limit 100 for update skip locked))""", store.value(), store.value());
            return found.get();
        });
    }

    /** Returns the hashes under which a request is stored, if that was in an installation with another oldest pepper. */
    private static Optional<HashedKey> findStored(Tx tx, List<HashedKey> hashes) {
        return hashes.size() == 1
                ? Optional.empty()
                : tx
                        .texts(
                                "select id from farm.\"idempotencyKey\" where \"storeId\" = ? and id = any(?) and \"expiresAt\" > now()",
                                tx.store().value(),
                                hashes.stream().map(HashedKey::id).toArray(String[]::new))
                        .stream()
                        .findFirst()
                        .flatMap(id -> hashes.stream()
                                .filter(hashed -> hashed.id().equals(id))
                                .findFirst());
    }

    /** Inserts the record, or takes over one that has expired or ended without doing its work. */
    private boolean insert(Tx tx, IdempotencyClaim claim, String request) {
        return tx.update(
                        """
                        insert into farm."idempotencyKey" as kept
                          ("storeId", id, request, token, "leaseUntil", "expiresAt")
                        values (?, ?, ?, ?, now() + ?::interval, now() + ?::interval)
                        on conflict ("storeId", id) do update
                        set request = excluded.request, token = excluded.token, "leaseUntil" = excluded."leaseUntil",
                          "expiresAt" = excluded."expiresAt", worked = false, status = null, answer = null
                        where kept."expiresAt" <= now() or (kept.request = excluded.request
                          and kept.status is null and not kept.worked and kept."leaseUntil" <= now())""",
                        tx.store().value(),
                        claim.id(),
                        request,
                        claim.token(),
                        lease.toString(),
                        retention.toString())
                == 1;
    }

    private Optional<Outcome> find(Tx tx, String id, String request) {
        return tx.first(
                "select request, status, answer, worked and \"leaseUntil\" <= now() from farm.\"idempotencyKey\""
                        + " where \"storeId\" = ? and id = ?",
                rows -> outcome(rows, request),
                tx.store().value(),
                id);
    }

    private Outcome outcome(ResultSet rows, String request) throws SQLException {
        if (!rows.getString(1).equals(request)) {
            return new Outcome.KeyReused();
        }
        String answer = rows.getString(3);
        if (answer != null) {
            return new Outcome.ResponseStored(rows.getInt(2), secrets.decrypt(answer));
        }
        return rows.getBoolean(4) ? new Outcome.ResponseLost() : new Outcome.InProgress();
    }

    @Override
    public void storeResponse(StoreId store, IdempotencyClaim claim, int status, String json) {
        database.in(
                store,
                tx -> tx.update(
                        "update farm.\"idempotencyKey\" set status = ?, answer = ?"
                                + " where \"storeId\" = ? and id = ? and token = ?",
                        status,
                        secrets.encrypt(json),
                        store.value(),
                        claim.id(),
                        claim.token()));
    }

    @Override
    public void release(StoreId store, IdempotencyClaim claim) {
        database.in(
                store,
                tx -> tx.update(
                        "update farm.\"idempotencyKey\" set \"leaseUntil\" = now()"
                                + " where \"storeId\" = ? and id = ? and token = ?",
                        store.value(),
                        claim.id(),
                        claim.token()));
    }
}
