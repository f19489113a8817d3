package farm.gantry.api.database.schema;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.DatabaseException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;

/** Checks the version of PostgreSQL at the start, before a statement fails that an older one does not support. */
public final class PostgresVersion {
    private static final int MIN_MAJOR = 17;
    private static final String NUMBER = "show server_version_num";

    private PostgresVersion() {}

    /** Throws if the database server is too old. */
    public static void check(Database database) {
        throwIfTooOld(database.query(NUMBER, PostgresVersion::number));
    }

    static void check(DataSource server) {
        try (Connection connection = server.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(NUMBER)) {
            throwIfTooOld(number(rows));
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    private static int number(ResultSet rows) throws SQLException {
        rows.next();
        return Integer.parseInt(rows.getString(1));
    }

    private static void throwIfTooOld(int number) {
        findFault(number).ifPresent(fault -> {
            throw new IllegalStateException(fault);
        });
    }

    /** Returns why the version is not supported. {@code number} is {@code server_version_num}: 150004 is 15.4. */
    public static Optional<String> findFault(int number) {
        int major = number / 10_000;
        return major >= MIN_MAJOR
                ? Optional.empty()
                : Optional.of("the database is PostgreSQL " + major + "." + number % 10_000
                        + ", and this version of Gantry needs PostgreSQL " + MIN_MAJOR
                        + " or newer: upgrade it, or start without --jdbc-url to use the one that Gantry contains");
    }
}
