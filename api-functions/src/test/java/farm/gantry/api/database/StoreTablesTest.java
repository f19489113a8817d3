package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.SharedApi;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Checks tenant isolation in PostgreSQL's catalogue. A new table needs a store column, or a reason in this test. */
final class StoreTablesTest {
    /** Tables without a store, with the reason. */
    private static final Map<String, String> OF_NO_STORE = Map.of(
            "dataKey", "keys that seal the secrets of all stores, wrapped by the master key",
            "eventPublisher", "how far one process has published all stores' changes",
            "streamEpoch", "the cluster that numbered the transactions of all stores",
            "replicaMark", "how far read replicas have all stores' changes",
            "queueMessage", "requests to workers, which serve all stores",
            "workLease", "which process does the background work of all stores");

    /** Tables with a key across all stores, with the reason. */
    private static final Map<String, String> KEYED_ACROSS_STORES = Map.of(
            "agent", "found by the id in its token, which tells the store; the server draws it",
            "apiKey", "found by the id in the key, which tells the store; the server draws it",
            "pairingCode", "found by itself, which tells the store; the server draws it",
            "session", "found by the id in its token, which tells the store; the server draws it",
            "signInCode", "found by itself, which tells the key; the server draws it",
            "deviceClaim", "a device is one store's of all; the API reaches it by functions alone");

    private static final String TABLES = """
            select t.relname from pg_class t join pg_namespace n on n.oid = t.relnamespace
            where n.nspname = 'farm' and t.relkind in ('r', 'p')
              and %s exists (select from pg_attribute a
                             where a.attrelid = t.oid and a.attname = 'storeId' and not a.attisdropped)
            """;

    private static List<String> texts(String sql) throws SQLException {
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl());
                Statement statement = owner.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        }
    }

    private static List<String> storeTables(String where) throws SQLException {
        return texts(TABLES.formatted("") + where);
    }

    @Test
    void tableWithoutAStoreHasAReason() throws SQLException {
        assertThat(texts(TABLES.formatted("not"))).containsExactlyInAnyOrderElementsOf(OF_NO_STORE.keySet());
        assertThat(storeTables("")).hasSizeGreaterThan(40);
    }

    @Test
    void tableOfAStoreForcesItsPolicyOnItsOwner() throws SQLException {
        assertThat(storeTables("and not (t.relrowsecurity and t.relforcerowsecurity)"))
                .isEmpty();
        assertThat(storeTables("and not exists (select from pg_policy p where p.polrelid = t.oid)"))
                .isEmpty();
    }

    /** Without this, plans for a store that has become large would long assume a single row. */
    @Test
    void statisticsAreRefreshedBeforeATenthOfATableChanges() throws SQLException {
        assertThat(storeTables("""
                        and t.relkind = 'r' and not coalesce(t.reloptions, '{}')
                          @> '{autovacuum_analyze_scale_factor=0.001,autovacuum_analyze_threshold=1000}'""")).isEmpty();
    }

    /**
     * A session keeps the plan of a trigger's first call; a nested loop, planned for a single row, is quadratic for
     * many rows.
     */
    @Test
    void triggersThatJoinOldAndNewRowsDisableNestedLoops() throws SQLException {
        String joining = """
                select distinct p.proname from pg_trigger t join pg_proc p on p.oid = t.tgfoid
                where t.tgoldtable is not null and t.tgnewtable is not null
                """;
        assertThat(texts(joining)).contains("note_moved_jobs");
        assertThat(texts(joining + "and not coalesce(p.proconfig, '{}') @> '{enable_nestloop=off}'"))
                .isEmpty();
    }

    @Test
    void applicationRoleSeesOnlyRowsOfItsStore() throws SQLException {
        assertThat(texts("""
                        select t.relname || ': ' || p.polname || ' ' || coalesce(pg_get_expr(p.polqual, t.oid), '')
                          || ' ' || coalesce(pg_get_expr(p.polwithcheck, t.oid), '')
                        from pg_policy p join pg_class t on t.oid = p.polrelid
                        where (0 = any (p.polroles) or (select oid from pg_roles where rolname = 'gantry_app') = any (p.polroles))
                          and (p.polpermissive is false or p.polwithcheck is not null
                               or pg_get_expr(p.polqual, t.oid)
                                  <> '("storeId" = current_setting(''gantry.store''::text, true))')""")).isEmpty();
        assertThat(texts("select rolname from pg_roles where rolname like 'gantry%' and (rolsuper or rolbypassrls)"))
                .isEmpty();
    }

    /** A unique key across stores would reveal to one store what another has. */
    @Test
    void keysOfStoreTablesBeginWithTheStore() throws SQLException {
        assertThat(texts("""
                        select distinct t.relname from pg_index i join pg_class t on t.oid = i.indrelid
                          join pg_attribute s on s.attrelid = t.oid and s.attname = 'storeId'
                        where i.indisunique and i.indkey[0] <> s.attnum""")).containsExactlyInAnyOrderElementsOf(KEYED_ACROSS_STORES.keySet());
        assertThat(storeTables(
                        "and not exists (select from pg_constraint c where c.conrelid = t.oid and c.contype = 'p')"))
                .isEmpty();
    }

    @Test
    void foreignKeysStayWithinAStore() throws SQLException {
        assertThat(texts("""
                        select t.relname || ': ' || pg_get_constraintdef(c.oid) from pg_constraint c
                          join pg_class t on t.oid = c.conrelid
                          join pg_attribute s on s.attrelid = c.conrelid and s.attname = 'storeId'
                          join pg_attribute f on f.attrelid = c.confrelid and f.attname = 'storeId'
                        where c.contype = 'f' and (c.conkey[1] <> s.attnum or c.confkey[1] <> f.attnum)""")).isEmpty();
    }
}
