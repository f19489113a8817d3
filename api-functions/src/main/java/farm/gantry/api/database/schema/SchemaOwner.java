package farm.gantry.api.database.schema;

import farm.gantry.api.database.DatabaseException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The role that migrates the tables. {@link #prepare} and {@link #finish} support owners that are not superusers, as in
 * managed databases: functions are given to the role that reads across stores, and forced row-level security would hide
 * all rows from the owner too.
 */
record SchemaOwner(DataSource server) {
    /** Uses default privileges, because a migration creates the schema. */
    private static final String PREPARE = """
            if not exists (select from pg_roles where rolname = 'gantry_lookup') then
              create role gantry_lookup nologin;
            end if;
            if not (pg_has_role('gantry_lookup', 'usage') and pg_has_role('gantry_lookup', 'set')) then
              execute format('grant gantry_lookup to %I with inherit true, set true', current_user);
            end if;
            alter default privileges grant create on schemas to gantry_lookup;
            if to_regnamespace('farm') is not null then
              grant create on schema farm to gantry_lookup;
            end if;
            """;

    private static final String FINISH = """
            alter default privileges revoke create on schemas from gantry_lookup;
            revoke create on schema farm, flyway from gantry_lookup;
            """;

    private static final String SEE_ALL_ROWS = """
            for each in select c.oid::regclass from pg_class c
                where c.relnamespace = to_regnamespace('farm') and c.relkind in ('r', 'p') and c.relrowsecurity
                  and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'owner') loop
              execute format('create policy owner on %s to %I using (true)', each, current_user);
            end loop;
            """;

    boolean isSuperuser() {
        return queryText("select true from pg_roles where rolname = current_user and rolsuper")
                .isPresent();
    }

    /**
     * Returns the digest of the migrations that made the tables, if known. It is stored as a comment of the schema, so
     * it is restored or lost with it.
     */
    Optional<String> digest() {
        return queryText("select obj_description(to_regnamespace('farm'), 'pg_namespace')");
    }

    void putDigest(Optional<String> digest) {
        run("""
                if to_regnamespace('farm') is not null then
                  comment on schema farm is %s;
                end if;
                """.formatted(digest.map(text -> "'" + text + "'").orElse("null")));
    }

    private Optional<String> queryText(String query) {
        try (Connection connection = server.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? Optional.ofNullable(rows.getString(1)) : Optional.empty();
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    void prepare() {
        run(PREPARE + SEE_ALL_ROWS);
    }

    void finish() {
        run(FINISH + SEE_ALL_ROWS);
    }

    private void run(String statements) {
        try (Connection connection = server.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("do $$ declare each regclass; begin\n" + statements + "end $$");
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }
}
