package farm.gantry.api.database.schema;

import farm.gantry.api.database.DatabaseException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Optional;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationInfoService;
import org.flywaydb.core.api.MigrationState;
import org.postgresql.ds.PGSimpleDataSource;

/** Schema migrations, run as a separate step by the role that owns the tables. */
public final class Schema {
    private Schema() {}

    /** The tables belong to a newer version and were not changed. */
    public static final class NewerSchemaException extends IllegalStateException {
        public NewerSchemaException(String message) {
            super(message);
        }
    }

    /** Creates the database unless it exists. */
    public static void createDatabase(String url, String owner, String password, String name) {
        try (Connection connection = server(url, owner, password).getConnection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select 1 from pg_database where datname = '" + name + "'")) {
            if (!found.next()) {
                statement.execute("create database " + name);
            }
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    /** Sets the password of the API's role, letters and digits only. */
    private static void setApiPassword(DataSource server, String password) {
        if (!password.matches("[A-Za-z0-9]+")) {
            throw new IllegalArgumentException("the password of the API's role may contain only letters and digits");
        }
        try (Connection connection = server.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("alter role gantry_app password '" + password + "'");
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    /**
     * Migrates the tables to this version; throws if they belong to a newer one. If {@code digest} is that of the
     * migrations that made the tables, and the role is a superuser, they are not checked again.
     */
    static void migrate(String url, String owner, String password, Optional<String> digest) {
        DataSource server = server(url, owner, password);
        PostgresVersion.check(server);
        SchemaOwner schemaOwner = new SchemaOwner(server);
        boolean isSuperuser = schemaOwner.isSuperuser();
        if (isSuperuser && digest.isPresent() && digest.equals(schemaOwner.digest())) {
            return;
        }
        Flyway flyway = Flyway.configure()
                .dataSource(url, owner, password)
                .schemas("flyway")
                .locations("classpath:" + MigrationDigest.FOLDER)
                .load();
        MigrationInfoService migrations = flyway.info();
        for (MigrationInfo migration : migrations.applied()) {
            if (migration.getState() == MigrationState.FUTURE_SUCCESS) {
                throw new NewerSchemaException("the database belongs to a newer version of Gantry: its schema is V"
                        + migration.getVersion() + "; start that version, or restore a backup made with this one");
            }
        }
        if (!isSuperuser) {
            schemaOwner.prepare();
            flyway.migrate();
            schemaOwner.finish();
            return;
        }
        if (!isUpToDate(migrations)) {
            schemaOwner.putDigest(Optional.empty());
            flyway.migrate();
        }
        schemaOwner.putDigest(digest);
    }

    /** Whether all migrations have been applied as they are now; checking them again takes a good part of a start. */
    private static boolean isUpToDate(MigrationInfoService migrations) {
        return Arrays.stream(migrations.all())
                .allMatch(each -> each.getState() == MigrationState.SUCCESS && each.isChecksumMatching());
    }

    /**
     * Returns how the tables differ from those of this version, with the remedy; empty if they do not. Changes nothing.
     */
    public static Optional<String> findDifference(String ownerUrl) {
        PGSimpleDataSource server = new PGSimpleDataSource();
        server.setUrl(ownerUrl);
        MigrationInfoService migrations = Flyway.configure()
                .dataSource(server)
                .schemas("flyway")
                .locations("classpath:" + MigrationDigest.FOLDER)
                .load()
                .info();
        if (isUpToDate(migrations)) {
            return Optional.empty();
        }
        return Optional.of(
                Arrays.stream(migrations.all()).anyMatch(each -> each.getState() == MigrationState.FUTURE_SUCCESS)
                        ? "they are those of a newer version of Gantry; start that version"
                        : migrations.pending().length + " are pending; restart the server, and see its log");
    }

    /** Migrates the tables of an existing database, and sets the password of the API's role. */
    public static void migrate(String url, String owner, String password, String apiPassword) {
        migrate(url, owner, password, MigrationDigest.ofBuild());
        setApiPassword(server(url, owner, password), apiPassword);
    }

    private static DataSource server(String url, String owner, String password) {
        PGSimpleDataSource server = new PGSimpleDataSource();
        server.setUrl(url);
        server.setUser(owner);
        server.setPassword(password);
        return server;
    }
}
