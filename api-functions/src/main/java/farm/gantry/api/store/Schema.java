package farm.gantry.api.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** The tables, brought to this version as a step of its own, by the role that owns them. */
public final class Schema {
    private Schema() {}

    /** Creates the database unless it exists. */
    public static void create(DataSource server, String name) {
        try (Connection connection = server.getConnection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select 1 from pg_database where datname = '" + name + "'")) {
            if (!found.next()) {
                statement.execute("create database " + name);
            }
        } catch (SQLException e) {
            throw new StoreException(e);
        }
    }

    /** Sets the password of a role, letters and digits only. */
    public static void allow(DataSource server, String role, String password) {
        try (Connection connection = server.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("alter role " + role + " password '" + password + "'");
        } catch (SQLException e) {
            throw new StoreException(e);
        }
    }

    public static void migrate(String url, String owner, String password) {
        Flyway.configure()
                .dataSource(url, owner, password)
                .schemas("flyway")
                .locations("classpath:db/migration")
                .load()
                .migrate();
    }
}
