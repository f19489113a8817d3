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

/** The tables, brought to this version as a step of its own, by the role that owns them. */
public final class Schema {
    private Schema() {}

    /** The tables are of a newer version, and were left as they are. */
    public static final class NewerException extends IllegalStateException {
        public NewerException(String message) {
            super(message);
        }
    }

    /** Creates the database unless it exists. */
    public static void create(String url, String owner, String password, String name) {
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
    private static void allow(DataSource server, String password) {
        if (!password.matches("[A-Za-z0-9]+")) {
            throw new IllegalArgumentException("the password of the API's role is to be of letters and digits alone");
        }
        try (Connection connection = server.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("alter role gantry_app password '" + password + "'");
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    /**
     * Brings the tables to this version; those of a newer one are left as they are, and the start fails. A superuser's whose
     * {@code digest} is that of the migrations that made them are not looked at.
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
                throw new NewerException("the data is of a newer version of Gantry, which made its tables V"
                        + migration.getVersion() + "; start that version, or restore a backup of this one");
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

    /** Whether all were made, as they are written now; reading them a second time is a good part of a start. */
    private static boolean isUpToDate(MigrationInfoService migrations) {
        return Arrays.stream(migrations.all())
                .allMatch(each -> each.getState() == MigrationState.SUCCESS && each.isChecksumMatching());
    }

    /** Brings the tables of an existing database to this version, and gives the API's role its password. */
    public static void migrate(String url, String owner, String password, String apiPassword) {
        migrate(url, owner, password, MigrationDigest.ofBuild());
        allow(server(url, owner, password), apiPassword);
    }

    private static DataSource server(String url, String owner, String password) {
        PGSimpleDataSource server = new PGSimpleDataSource();
        server.setUrl(url);
        server.setUser(owner);
        server.setPassword(password);
        return server;
    }
}
