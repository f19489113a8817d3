package farm.gantry.api.database;

import farm.gantry.StoreId;
import farm.gantry.api.query.Column;
import farm.gantry.api.query.Columns;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Re-encrypts all stored secrets with the newest data key, one batch per transaction, while the farm runs. Rows show
 * their key version, so an interrupted run can be repeated.
 */
@Singleton
public final class SecretReencryption {
    private static final int BATCH = 100;
    private static final List<SealedColumn> OTHER_COLUMNS = List.of(
            new SealedColumn("integration", "previousSecret", "text"),
            new SealedColumn("idempotencyKey", "answer", "text"));

    private final Database database;
    private final DataKeys keys;
    private final Secrets secrets;
    private final List<SealedColumn> columns = new ArrayList<>(OTHER_COLUMNS);

    private record SealedColumn(String table, String name, String type) {}

    /** Rows changed, and rows left because a secret in them has an unknown key. */
    public record Result(int reencrypted, int unreadable) {
        private Result plus(Result other) {
            return new Result(reencrypted + other.reencrypted, unreadable + other.unreadable);
        }
    }

    private record Batch(Result result, String last, boolean full) {}

    SecretReencryption(Database database, DataKeys keys, Secrets secrets) {
        this.database = database;
        this.keys = keys;
        this.secrets = secrets;
        for (Columns<?> record : Columns.ofAllRecords()) {
            for (Column column : record.all()) {
                boolean json = !column.sealedKeys().isEmpty();
                if (!record.table().isEmpty() && (json || column.secret())) {
                    columns.add(new SealedColumn(record.table(), column.name(), json ? "json" : "text"));
                }
            }
        }
    }

    public Result reencryptAll() {
        keys.awaitRefreshed();
        String older = "sealed:v(?!" + keys.newest().number() + ":)[0-9]+:";
        Result total = new Result(0, 0);
        for (StoreId store : database.findStores("all_stores")) {
            for (SealedColumn column : columns) {
                total = total.plus(reencryptColumn(store, column, older));
            }
        }
        return total;
    }

    private Result reencryptColumn(StoreId store, SealedColumn column, String older) {
        Result total = new Result(0, 0);
        Batch batch = new Batch(total, "", true);
        while (batch.full()) {
            String after = batch.last();
            batch = database.in(store, tx -> reencryptBatch(tx, column, older, after));
            total = total.plus(batch.result());
        }
        return total;
    }

    private Batch reencryptBatch(Tx tx, SealedColumn column, String older, String after) {
        String table = "farm.\"" + column.table() + "\"";
        String name = "\"" + column.name() + "\"";
        List<Map.Entry<String, String>> rows = tx.list(
                "select id, " + name + "::text from " + table + " where \"storeId\" = ? and id > ? and " + name
                        + "::text ~ ? order by id limit " + BATCH + " for update",
                row -> Map.entry(row.getString(1), row.getString(2)),
                tx.store().value(),
                after,
                older);
        int resealed = 0;
        for (Map.Entry<String, String> row : rows) {
            String text = secrets.reencrypt(row.getValue());
            if (!text.equals(row.getValue())) {
                resealed += tx.update(
                        "update " + table + " set " + name + " = ?::" + column.type()
                                + " where \"storeId\" = ? and id = ?",
                        text,
                        tx.store().value(),
                        row.getKey());
            }
        }
        String last = rows.isEmpty() ? after : rows.getLast().getKey();
        return new Batch(new Result(resealed, rows.size() - resealed), last, rows.size() == BATCH);
    }
}
