package farm.gantry.api.database;

import farm.gantry.StoreId;
import farm.gantry.api.error.ProblemException;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.postgresql.copy.CopyOut;

/**
 * All records of a store, for its move to another installation: read in one snapshot, and written in one transaction.
 * Tables and columns come from PostgreSQL's catalogue, so that a new table is not forgotten.
 */
@Singleton
public final class StoreRecords {
    /** Tables of stores whose rows stay behind, with the reason. */
    static final Map<String, String> NOT_MOVED = Map.of(
            "deviceClaim", "the import claims the printers' devices",
            "jobMove", "changes for event streams, whose positions are those of the installation",
            "recordChange", "changes for event streams, whose positions are those of the installation",
            "movedStore", "the mark of the move itself",
            "pairingCode", "valid for minutes, and hashed with the installation's own pepper",
            "signInCode", "valid for minutes, and hashed with the installation's own pepper",
            "still", "camera images, which are requested again",
            "wakeup", "messages in the installation's own queues");

    /** Columns with hashes that start with the version of their pepper. */
    static final Map<String, String> PEPPERED = Map.of("apiKey", "hash", "session", "hash", "agent", "tokenHash");

    private static final String TABLES = """
            select t.relname,
              string_agg(quote_ident(a.attname), ',' order by a.attnum)
                filter (where a.attgenerated = '' and a.attidentity = '' and a.atttypid <> 'xid8'::regtype),
              coalesce(min(quote_ident(a.attname)) filter (where a.attidentity <> ''), '"storeId"'),
              (select coalesce(string_agg(distinct p.relname::text, ','), '') from pg_catalog.pg_constraint c
               join pg_catalog.pg_class p on p.oid = c.confrelid
               where c.conrelid = t.oid and c.contype = 'f' and not c.condeferrable and c.confrelid <> t.oid)
            from pg_catalog.pg_class t join pg_catalog.pg_attribute a on a.attrelid = t.oid
            where t.relnamespace = 'farm'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
              and a.attnum > 0 and not a.attisdropped
              and exists (select from pg_catalog.pg_attribute s
                          where s.attrelid = t.oid and s.attname = 'storeId' and not s.attisdropped)
            group by t.oid, t.relname order by t.relname""";

    private static final String SCHEMA = """
            select md5(string_agg(concat_ws(' ', t.relname, a.attname, a.atttypid::regtype, a.attnotnull, a.attgenerated), ','
                       order by t.relname, a.attname))
            from pg_catalog.pg_class t join pg_catalog.pg_attribute a on a.attrelid = t.oid
            where t.relnamespace = 'farm'::regnamespace and t.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped""";

    /** Requests that wait for a worker, too: at the destination they go to its own queues. */
    private static final String OUTBOX = """
            select "storeId", id, "createdAt", queue, body from farm.outbox
            where "storeId" = current_setting('gantry.store')
            union all
            select "ofStore", id, "createdAt", queue, body from farm."queueMessage"
            where "ofStore" = current_setting('gantry.store') order by id""";

    private static final String OUTBOX_TABLE = "outbox";

    private static final List<String> WITHOUT_TIMEOUTS = List.of(
            "set local statement_timeout = 0",
            "set local lock_timeout = 0",
            "set local idle_in_transaction_session_timeout = 0");

    private final Database database;

    StoreRecords(Database database) {
        this.database = database;
    }

    /** The table, its columns that are copied, the column that orders the rows, and the tables that its rows must follow. */
    private record StoreTable(String name, String columns, String order, Set<String> parents) {}

    /** The columns, as a list of SQL, and the number of rows of a table. */
    @Serdeable
    public record CopiedTable(String columns, long rows) {}

    /** Stores the rows of a table. */
    public interface RowSink {
        void put(String table, InputStream rows) throws IOException;
    }

    /** Opens the rows of a table. */
    public interface RowSource {
        InputStream open(String table) throws IOException;
    }

    /** The digest of the schema, the copied tables, and the versions of the pepper that their hashes use. */
    public record Copied(String schema, Map<String, CopiedTable> tables, Set<Integer> pepperVersions) {}

    /**
     * Reads all records of a store that is marked as moved, as of one point in time.
     *
     * @param convert converts each row that contains an encrypted secret
     */
    public Copied read(StoreId store, UnaryOperator<String> convert, RowSink sink) {
        return database.inMoved(store, tx -> {
            WITHOUT_TIMEOUTS.forEach(tx::run);
            Map<String, CopiedTable> copied = new LinkedHashMap<>();
            for (StoreTable table : tables(tx)) {
                String rows = table.name().equals(OUTBOX_TABLE)
                        ? OUTBOX
                        : "select %s from farm.\"%s\" where \"storeId\" = current_setting('gantry.store') order by %s"
                                .formatted(table.columns(), table.name(), table.order());
                copied.put(table.name(), new CopiedTable(columns(table), read(tx, table.name(), rows, convert, sink)));
            }
            return new Copied(schema(), copied, pepperVersions(tx));
        });
    }

    private static String columns(StoreTable table) {
        return table.name().equals(OUTBOX_TABLE) ? "\"storeId\",id,\"createdAt\",queue,body" : table.columns();
    }

    private static long read(Tx tx, String table, String query, UnaryOperator<String> convert, RowSink sink) {
        try {
            CopyOut copy = tx.copyManager().copyOut("copy (" + query + ") to stdout");
            RowStream rows = new RowStream(copy::readFromCopy, convert);
            sink.put(table, rows);
            return rows.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    private static Set<Integer> pepperVersions(Tx tx) {
        Set<Integer> versions = new LinkedHashSet<>();
        PEPPERED.forEach((table, column) -> versions.addAll(tx.list(
                "select distinct " + version("\"" + column + "\"") + " from farm.\"" + table
                        + "\" where \"storeId\" = ? and \"" + column + "\" is not null",
                row -> row.getInt(1),
                tx.store().value())));
        return versions;
    }

    private static String version(String hash) {
        return "case when position('$' in %1$s) > 0 then split_part(%1$s, '$', 1)::int else 1 end".formatted(hash);
    }

    /** Returns a digest of all tables with their columns. */
    public String schema() {
        return database.texts(SCHEMA).getFirst();
    }

    /** Returns the store, which must not exist. */
    public StoreId requireAbsent(String storeId) {
        StoreId store = new StoreId(storeId);
        boolean exists = database.inMoved(
                store,
                tx -> !tx.texts("select name from farm.store where \"storeId\" = ?", store.value())
                        .isEmpty());
        if (exists) {
            throw new IllegalStateException("the store " + store + " exists in this installation already");
        }
        return store;
    }

    /**
     * Writes all records of a store in one transaction. Numbers that the database generates are assigned again in the same
     * order. Agents get the time of the move as if they had been seen during it.
     *
     * @param peppers version of the pepper here by that of the source
     * @param convert converts each row that contains an encrypted secret
     */
    public void write(
            StoreId store,
            Map<String, CopiedTable> copied,
            Map<Integer, Integer> peppers,
            UnaryOperator<String> convert,
            RowSource source) {
        try {
            database.in(store, tx -> {
                WITHOUT_TIMEOUTS.forEach(tx::run);
                tx.run("set local gantry.importing = 'on'");
                tx.run("set constraints all deferred");
                write(tx, copied, peppers, convert, source);
                tx.update("""
                        update farm.agent set "lastSeenAt" = date_trunc('milliseconds', now())
                        where "storeId" = ? and "isOnline\"""", store.value());
                tx.update("""
                        update farm.store set "streamEpoch" = substr(md5(random()::text || clock_timestamp()), 1, 8)
                        where "storeId" = ?""", store.value());
                claimDevices(tx);
                return store;
            });
        } catch (ProblemException conflict) {
            throw new IllegalStateException("nothing was imported: " + conflict.getMessage(), conflict);
        }
    }

    private static void write(
            Tx tx,
            Map<String, CopiedTable> copied,
            Map<Integer, Integer> peppers,
            UnaryOperator<String> convert,
            RowSource source) {
        List<StoreTable> tables = tables(tx);
        Set<String> unknown = new LinkedHashSet<>(copied.keySet());
        tables.forEach(table -> unknown.remove(table.name()));
        if (!unknown.isEmpty()) {
            throw new IllegalStateException("the archive has tables that are unknown here: " + unknown);
        }
        for (StoreTable table : tables) {
            CopiedTable rows = copied.get(table.name());
            if (rows == null) {
                throw new IllegalStateException("the archive lacks the table " + table.name());
            }
            write(tx, table, rows, peppers, convert, source);
        }
    }

    private static void write(
            Tx tx,
            StoreTable table,
            CopiedTable copied,
            Map<Integer, Integer> peppers,
            UnaryOperator<String> convert,
            RowSource source) {
        if (!columns(table).equals(copied.columns())) {
            throw new IllegalStateException("the table " + table.name() + " has other columns in the archive");
        }
        tx.run("create temporary table incoming on commit drop as select " + copied.columns() + " from farm.\""
                + table.name() + "\" with no data");
        tx.run("alter table incoming add column \"rowOrder\" bigint generated always as identity");
        try (InputStream rows = source.open(table.name())) {
            tx.copyManager()
                    .copyIn("copy incoming (" + copied.columns() + ") from stdin", RowStream.ofLines(rows, convert));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw DatabaseException.of(e);
        }
        renumber(tx, table, peppers);
        int written = tx.update("insert into farm.\"" + table.name() + "\" (" + copied.columns() + ") select "
                + copied.columns() + " from incoming order by \"rowOrder\"");
        tx.run("drop table incoming");
        if (written != copied.rows()) {
            throw new IllegalStateException(
                    "the archive has " + written + " rows of " + table.name() + " instead of " + copied.rows());
        }
    }

    /** Replaces numbers that have another meaning in this installation. */
    private static void renumber(Tx tx, StoreTable table, Map<Integer, Integer> peppers) {
        String column = PEPPERED.get(table.name());
        if (column != null) {
            String hash = "\"" + column + "\"";
            String cases = peppers.entrySet().stream()
                    .map(each -> "when %d then '%s'"
                            .formatted(each.getKey(), each.getValue() == 1 ? "" : each.getValue() + "$"))
                    .collect(Collectors.joining(" "));
            if (!cases.isEmpty()) {
                tx.update(
                        "update incoming set %1$s = case %2$s %3$s else substr(%1$s, 1, position('$' in %1$s)) end || substr(%1$s, position('$' in %1$s) + 1) where %1$s is not null"
                                .formatted(hash, version(hash), cases));
            }
        }
        if (table.name().equals("printJob")) {
            // All jobs keep their order, and come before those that are created here from now on.
            tx.update("""
                    with bounds as (select max("queueOrder") as last, max("queueOrder") - min("queueOrder") + 1 as size from incoming),
                    drawn as (select max(n) as last from bounds, lateral (
                      select nextval('farm."queueOrder"') as n from generate_series(1, bounds.size)) numbers)
                    update incoming set "queueOrder" = "queueOrder" - bounds.last + drawn.last from bounds, drawn""");
        }
    }

    private static void claimDevices(Tx tx) {
        List<Map.Entry<String, String>> printers = tx.list(
                "select \"deviceId\", id from farm.printer where \"storeId\" = ? and \"deviceId\" is not null order by 1",
                row -> Map.entry(row.getString(1), row.getString(2)),
                tx.store().value());
        List<String> taken = tx.texts(
                "select * from farm.claim_devices(?, ?, ?)",
                printers.stream().map(Map.Entry::getKey).toArray(String[]::new),
                tx.store().value(),
                printers.stream().map(Map.Entry::getValue).toArray(String[]::new));
        if (!taken.isEmpty()) {
            throw new IllegalStateException(
                    "nothing was imported: these devices are printers of another store here; delete"
                            + " them there first: " + String.join(", ", taken));
        }
    }

    /** Returns the tables whose rows are moved, each after those that it refers to. */
    private static List<StoreTable> tables(Tx tx) {
        List<StoreTable> waiting = new ArrayList<>(tx.list(
                TABLES,
                row -> new StoreTable(
                        row.getString(1),
                        row.getString(2),
                        row.getString(3),
                        Set.of(row.getString(4).split(",")))));
        waiting.removeIf(table -> NOT_MOVED.containsKey(table.name()));
        List<StoreTable> ordered = new ArrayList<>();
        while (!waiting.isEmpty()) {
            Set<String> names = waiting.stream().map(StoreTable::name).collect(Collectors.toSet());
            List<StoreTable> next = waiting.stream()
                    .filter(table -> table.parents().stream().noneMatch(names::contains))
                    .toList();
            if (next.isEmpty()) {
                throw new IllegalStateException(
                        "these tables refer to each other by foreign keys that cannot be deferred: " + names);
            }
            ordered.addAll(next);
            waiting.removeAll(next);
        }
        return ordered;
    }
}
